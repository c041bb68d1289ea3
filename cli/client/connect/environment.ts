/** Environment variables for this program alone. A server that is started does not get them. */
const URL_SECRETS: ReadonlySet<string> = new Set([
  'MCP_TOKEN',
  'MCP_CLIENT_SECRET',
  'MCP_CODEGEN_TRUST',
]);

/** Whether a variable has a secret for servers at URLs. On Windows the names have no case. */
export function isUrlSecret(name: string): boolean {
  return URL_SECRETS.has(name.toUpperCase());
}

/** The environment that a started server inherits. */
export function inheritedEnv(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (each): each is [string, string] => each[1] !== undefined && !isUrlSecret(each[0]),
    ),
  );
}
