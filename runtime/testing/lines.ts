import { type Readable, type Writable, PassThrough } from 'node:stream';
import type { OpenChannel } from '../client/index.js';
import { type AuthInfo, LOCAL_OWNER } from '../server/auth/index.js';
import type { CallerIdentity, TaskServer } from '../server/index.js';
import { serveLines } from '../transport/index.js';

/**
 * The client's end of two pipes with lines of JSON, as a server over stdio has them. It can be opened once. `onError` gets
 * an error for each line that is not JSON.
 */
export function linesChannel(
  input: Readable,
  output: Writable,
  onError: (error: Error) => void,
): OpenChannel {
  return (receive) => {
    const gone = new AbortController();
    const end = (): void => gone.abort();
    readLines(input, (line) => {
      const value = valueOf(line);
      if (value !== undefined) receive(value);
      else if (line.trim() !== '') onError(notJson(line));
    });
    input.once('end', end).once('close', end);
    output.on('error', end);
    if (input.readableEnded || input.destroyed) end();
    return {
      gone: gone.signal,
      send: (_, text) =>
        new Promise((resolve, reject) => {
          output.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
        }),
      close: () => void output.end(),
    };
  };
}

/** Calls the listener with each line. Only a line feed ends one: JSON may contain the other separators. */
export function readLines(input: Readable, listener: (line: string) => void): void {
  let begun: string[] = [];
  input.setEncoding('utf8').on('data', (chunk: string) => {
    const [first = '', ...others] = chunk.split('\n');
    begun.push(first);
    for (const next of others) {
      listener(begun.join(''));
      begun = [next];
    }
  });
}

/** Characters of a line that an error quotes. */
const QUOTED = 100;

function notJson(line: string): Error {
  return new Error(`The server wrote a line that is not JSON: ${line.slice(0, QUOTED)}`);
}

/** Undefined for what is not JSON. */
function valueOf(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

/** Opens a connection to a server in this process, over which both send lines of JSON, as over stdio. */
export function memoryChannel(server: TaskServer, caller: CallerIdentity | undefined): OpenChannel {
  const identification = caller === undefined ? LOCAL_OWNER : 'authorization';
  const served = server.serve({ identification, asksUnidentified: false });
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const { closed } = serveLines({
    served,
    source: toServer,
    target: toClient,
    who: caller && authInfoOf(caller),
    onTooSlow: () => undefined,
    onError: server.onError,
  });
  void closed.then(() => {
    served.close();
    toClient.end();
  });
  return linesChannel(toClient, toServer, server.onError);
}

function authInfoOf({ issuer, subject, client, scopes }: CallerIdentity): AuthInfo {
  return { token: '', clientId: client, scopes: [...scopes], extra: { issuer, subject } };
}

/** The headers of a client, with its bearer token. */
export function headersFor(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
