export interface RefusalOptions {
  /** Of the JSON-RPC request, where it could be read. */
  readonly id?: unknown;
  readonly data?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer to a request that is refused: a JSON-RPC error, as the SDK's refusals are. */
export function refusal(
  status: number,
  code: number,
  message: string,
  options: RefusalOptions = {},
): Response {
  const { data, headers = {}, id = null } = options;
  const error = { code, message, ...(data !== undefined && { data }) };
  return Response.json({ jsonrpc: '2.0', id, error }, { status, headers });
}

/** For requests that break a rule of HTTP itself. */
export const BAD_REQUEST = -32000;

/** Methods of HTTP that the server accepts on its path. */
export const HTTP_METHODS = ['GET', 'POST', 'DELETE', 'OPTIONS'] as const;

export function methodNotAllowed(): Response {
  const headers = { Allow: HTTP_METHODS.join(', ') };
  return refusal(405, BAD_REQUEST, 'Method not allowed', { headers });
}
