import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { DiagnosticError } from '../generator/diagnostics/index.js';
import type { JsonValue } from '../json-schema/index.js';
import { quote } from '../json-schema/text.js';
import { META_KEYS } from '../runtime/protocol.js';
import { DIALECT_REVISIONS } from '../generator/ir/revisions/index.js';

/** This process. A tool that needs scopes is listed to each caller. */
const CALLER = { issuer: 'mcp-codegen', subject: 'lint', client: 'lint', scopes: [] };
const RUNTIME = '@mcp-codegen/runtime/server';

/** What is used of the runtime of the module's project, whose versions differ. */
interface Runtime {
  createTaskServer(options: object): Promise<{ close(graceMs?: number): Promise<void> }>;
  createHttpHandler(
    server: object,
    options: object,
  ): {
    fetch(request: Request): Promise<Response>;
    close(): Promise<void>;
  };
}

/**
 * The tools that a module exports, as a server of its project lists them: `isPortable`, with `schemas: 'portable'`. The module runs in this process.
 *
 * @throws {DiagnosticError} `bad-tool`.
 */
export async function listModule(path: string, isPortable: boolean): Promise<readonly JsonValue[]> {
  const { tools } = await imported<{ readonly tools?: unknown }>(path, path);
  if (!Array.isArray(tools)) throw refusal(path, 'It exports no list of tools.');
  const runtime = await imported<Runtime>(runtimeOf(path), path);
  try {
    const server = await runtime.createTaskServer({
      name: 'lint',
      version: '0',
      tools,
      schemas: isPortable ? 'portable' : 'as-written',
    });
    const handler = runtime.createHttpHandler(server, { identify: () => CALLER });
    try {
      return await allPages((cursor) => handler.fetch(requestOf(cursor)));
    } finally {
      await handler.close();
      await server.close(0);
    }
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    throw refusal(path, String(error instanceof Error ? error.message : error));
  }
}

async function imported<T>(file: string, module: string): Promise<T> {
  try {
    return (await import(pathToFileURL(file).href)) as T;
  } catch (error) {
    throw refusal(module, String(error instanceof Error ? error.message : error));
  }
}

function runtimeOf(path: string): string {
  try {
    return createRequire(pathToFileURL(path)).resolve(RUNTIME);
  } catch {
    throw refusal(path, `Its project does not have ${RUNTIME}.`);
  }
}

async function allPages(
  ask: (cursor: string | undefined) => Promise<Response>,
): Promise<readonly JsonValue[]> {
  const tools: JsonValue[] = [];
  for (let cursor: string | undefined; ;) {
    const response = await ask(cursor);
    const { result, error } = (await response.json()) as {
      readonly result?: { readonly tools: readonly JsonValue[]; readonly nextCursor?: string };
      readonly error?: { readonly message: string };
    };
    if (result === undefined) throw new Error(error?.message ?? `status ${response.status}`);
    tools.push(...result.tools);
    cursor = result.nextCursor;
    if (cursor === undefined) return tools;
  }
}

function requestOf(cursor: string | undefined): Request {
  const revision = DIALECT_REVISIONS.ext;
  const _meta = {
    [META_KEYS.protocolVersion]: revision,
    [META_KEYS.clientInfo]: { name: 'mcp-codegen', version: '0' },
    [META_KEYS.clientCapabilities]: {},
  };
  const params = { _meta, ...(cursor !== undefined && { cursor }) };
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      host: 'localhost',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': 'tools/list',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params }),
  });
}

function refusal(path: string, why: string): DiagnosticError {
  const message = `The tools of ${quote(path)} cannot be listed: ${why}`;
  return new DiagnosticError([{ code: 'bad-tool', severity: 'error', message }]);
}
