import { PassThrough } from 'node:stream';
import { type AuthInfo, LOCAL_OWNER } from '../server/auth/index.js';
import type { OpenChannel } from '../client/index.js';
import type { CallerIdentity, TaskServer } from '../server/index.js';
import { serveLines } from '../transport/index.js';
import { linesChannel } from './lines.js';

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
