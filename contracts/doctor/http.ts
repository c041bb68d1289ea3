import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { META_KEYS, METHODS, REVISIONS } from '../../runtime/protocol.js';
import type { RevisionVersion } from '../../runtime/protocol.js';

/** What a server answered over HTTP. */
export interface Reply {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** The first message in the body, or the body as JSON. */
  readonly body: unknown;
}

export interface Sending {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: object;
}

/** Bytes of an answer that are read. */
const MOST = 1024 * 1024;

/** One request, also with a `Host` of another server. Undefined when there is no answer in time. */
export async function exchange(
  url: string,
  { method = 'POST', headers = {}, message }: Sending,
  timeout: number,
): Promise<Reply | undefined> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const signal = AbortSignal.timeout(timeout);
  const all = {
    accept: 'application/json, text/event-stream',
    ...(message && { 'content-type': 'application/json' }),
    ...headers,
  };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      send(url, { method, headers: all, signal }, resolve)
        .on('error', reject)
        .end(message && JSON.stringify(message));
    });
    const body = await firstIn(response);
    return {
      status: response.statusCode ?? 0,
      header: (name) => response.headers[name]?.toString(),
      body,
    };
  } catch {
    return undefined;
  }
}

/** The first JSON in an answer: its body, or the data of an event, after which the stream may stay open. */
async function firstIn(response: IncomingMessage): Promise<unknown> {
  const isStream = response.headers['content-type']?.includes('event-stream') === true;
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
      text += chunk;
      const found = isStream ? eventIn(text) : undefined;
      if (found !== undefined) return found;
      if (text.length > MOST) return undefined;
    }
    return isStream ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  } finally {
    response.destroy();
  }
}

function eventIn(text: string): unknown {
  for (const event of text.split(/\r?\n\r?\n/).slice(0, -1)) {
    const data = [...event.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join('\n');
    if (data !== '') return JSON.parse(data) as unknown;
  }
  return undefined;
}

const CLIENT = { name: 'mcp-codegen', version: '0' };

/** The first request of a client, with its headers. */
export function opening(revision: RevisionVersion): Required<Pick<Sending, 'headers' | 'message'>> {
  if (REVISIONS[revision].dialect === 'ext') return asked(revision, METHODS.serverDiscover);
  const params = { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT };
  return {
    headers: {},
    message: { jsonrpc: '2.0', id: 1, method: METHODS.initialize, params },
  };
}

/** A later request. */
export function asked(
  revision: RevisionVersion,
  method: string,
): Required<Pick<Sending, 'headers' | 'message'>> {
  const version = { 'mcp-protocol-version': revision };
  const message = { jsonrpc: '2.0', id: 2, method };
  if (REVISIONS[revision].dialect === 'core') return { headers: version, message };
  const _meta = {
    [META_KEYS.protocolVersion]: revision,
    [META_KEYS.clientInfo]: CLIENT,
    [META_KEYS.clientCapabilities]: {},
  };
  return {
    headers: { ...version, 'mcp-method': method },
    message: { ...message, params: { _meta } },
  };
}
