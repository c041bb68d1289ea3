/** The generated tables of a protocol, as far as `runtime/protocol.ts` contains them. */
export interface Tables {
  readonly REQUESTS: object;
  readonly NOTIFICATIONS: object;
  readonly META_KEYS: Readonly<Record<string, string>>;
  readonly ERROR_CODES: Readonly<Record<string, number>>;
  readonly EXTENSION_ID?: string;
}

/** The text of `runtime/protocol.ts`, and the names of which a later protocol has another value. */
export interface ProtocolNames {
  readonly text: string;
  /** Each as `name: value that was left out, instead of value`. */
  readonly leftOut: readonly string[];
}

const TASKS = 'tasks/get';

/** `all` are the tables of every protocol, the oldest first: a name keeps its first value. */
export function protocolNames(all: readonly Tables[]): ProtocolNames {
  const leftOut: string[] = [];
  const constant = (doc: string, name: string, tables: readonly Values[]): string => {
    const entries = merged(tables, leftOut).map(
      ([key, value]) => `${key}: ${JSON.stringify(value)},`,
    );
    return `/** ${doc} */\nexport const ${name} = {\n${entries.join('\n')}\n} as const;\n`;
  };
  const methods = all.map(({ REQUESTS, NOTIFICATIONS }) =>
    Object.fromEntries(
      [...Object.keys(REQUESTS), ...Object.keys(NOTIFICATIONS)].map((each) => [nameOf(each), each]),
    ),
  );
  const tasks = all.find(
    ({ EXTENSION_ID, REQUESTS }) => EXTENSION_ID !== undefined && TASKS in REQUESTS,
  );
  const text = [
    '// Written by `npm run names` from generated/*/protocol.ts. Do not edit.\n',
    "export * from './revisions.js';\n",
    '/** What client and server declare under `extensions` for tasks. */',
    `export const EXTENSION_ID = ${JSON.stringify(tasks?.EXTENSION_ID)};\n`,
    constant('Methods of requests and notifications.', 'METHODS', methods),
    constant(
      'Reserved keys of `_meta`.',
      'META_KEYS',
      all.map(({ META_KEYS }) => META_KEYS),
    ),
    constant(
      'Error codes of JSON-RPC and of the protocol.',
      'ERROR_CODES',
      all.map(({ ERROR_CODES }) => ERROR_CODES),
    ),
  ].join('\n');
  return { text, leftOut };
}

type Values = Readonly<Record<string, string | number>>;

/** `tools/call` → `toolsCall`, `notifications/tools/list_changed` → `notificationsToolsListChanged`. */
function nameOf(method: string): string {
  return method.replace(/[/_]+([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The first value of each name, in the order of the names. */
function merged(
  tables: readonly Values[],
  leftOut: string[],
): readonly (readonly [string, string | number])[] {
  const found = new Map<string, string | number>();
  for (const [name, value] of tables.flatMap((table) => Object.entries(table))) {
    const known = found.get(name) ?? value;
    found.set(name, known);
    if (known !== value) leftOut.push(`${name}: ${String(value)}, instead of ${String(known)}`);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}
