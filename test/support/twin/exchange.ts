import { type IncomingMessage, request } from 'node:http';

/** A request as it came over the wire. */
export interface Asked {
  readonly method: string;
  readonly target: string;
  /** Name, value, name, value: as Node gives and takes them. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** An answer whose head has come. */
export interface Answered {
  readonly status: number;
  /** As those of a request. */
  readonly headers: readonly string[];
  readonly body: AsyncIterable<Buffer>;
  /** Disconnects. */
  readonly cancel: () => void;
}

/** One of two servers. Rejects when there is no answer. */
export type Side = (asked: Asked, signal: AbortSignal) => Promise<Answered>;

/** A server at an origin, asked with the headers as they are, `Host` included. */
export function sideAt(origin: string): Side {
  const { hostname, port } = new URL(origin);
  return ({ method, target, headers, body }, signal) =>
    new Promise((resolve, reject) => {
      const asking = request({
        hostname,
        port,
        method,
        path: target,
        headers: headers as string[],
        agent: false,
        signal,
      });
      asking.on('error', reject);
      asking.on('response', (response) => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.rawHeaders,
          body: response,
          cancel: () => response.destroy(),
        });
      });
      asking.end(body);
    });
}

export async function askedBy(incoming: IncomingMessage): Promise<Asked> {
  const { method = '', url = '', rawHeaders } = incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return { method, target: url, headers: rawHeaders, body: Buffer.concat(chunks) };
}

/** Every character a byte. */
export async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

export function headerOf({ headers }: Pick<Answered, 'headers'>, name: string): string | undefined {
  const at = headers.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name);
  return at < 0 ? undefined : headers[at + 1];
}
