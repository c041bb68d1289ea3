import type { LoginOptions } from '../../../runtime/client/node/index.js';
import { ConnectionError, connectionError } from '../connection-error.js';
import { variable } from '../headers.js';
import { shownServer } from '../location.js';
import { done } from '../outcome.js';
import type { CommandResult } from '../outcome.js';
import type { CommandContext } from '../session.js';
import { showLogin } from '../show-login.js';
import { line, plain } from '../text.js';
import { Interrupted, UsageError } from '../usage.js';

export interface LoginWish {
  readonly grant: 'browser' | 'device' | 'client-credentials';
  /** Separated by spaces. */
  readonly scope: string | undefined;
  /** The only authorization server that may get the id and the secret. */
  readonly issuer: string | undefined;
  /** Of a client that was registered by hand. Default: the variable MCP_CLIENT_ID. */
  readonly clientId: string | undefined;
  /** The https address of a client metadata document. */
  readonly clientMetadata: string | undefined;
  /** The port to which the browser comes back. */
  readonly redirectPort: number | undefined;
}

/** Gets a token from the authorization server that the server names. */
export async function logIn(session: CommandContext, wish: LoginWish): Promise<CommandResult> {
  const { io, settings } = session;
  const url = await urlOf(session);
  const stop = new AbortController();
  const stopListening = io.onInterrupt(() => stop.abort());
  const { timeout } = settings;
  const signal =
    timeout === undefined
      ? stop.signal
      : AbortSignal.any([stop.signal, AbortSignal.timeout(timeout)]);
  try {
    await grant(session, url, { wish, signal });
  } catch (error) {
    if (stop.signal.aborted) throw new Interrupted('The login was interrupted.', { cause: error });
    if (!(error instanceof Error) || error.name !== 'LoginError') throw error;
    const failed = connectionError({ url }, error, { aim: 'log in', timeout, said: '' });
    const help = /dynamic client registration/.test(error.message)
      ? 'Register a client there by hand, and give its id: --client-id <id>, or set MCP_CLIENT_ID.'
      : failed.help;
    throw new ConnectionError(failed.message, help, { cause: error });
  } finally {
    stopListening();
  }
  const shown = shownUrl(url);
  return done(`Logged in at ${shown}.\n`, { server: shown });
}

interface Grant {
  readonly wish: LoginWish;
  readonly signal: AbortSignal;
}

async function grant(session: CommandContext, url: string, { wish, signal }: Grant): Promise<void> {
  const { io, logins, settings } = session;
  const { env, err } = io;
  const { grant: kind, scope, issuer, clientMetadata, redirectPort } = wish;
  // An empty variable counts as one that is not set.
  const id = (wish.clientId ?? env['MCP_CLIENT_ID']) || undefined;
  const secret = env['MCP_CLIENT_SECRET'] || undefined;
  if (clientMetadata !== undefined) checkMetadataUrl(clientMetadata);
  const options: LoginOptions = {
    signal,
    scope,
    redirectPort,
    clientMetadataUrl: clientMetadata,
    ...(id !== undefined && { registered: { id, secret, issuer } }),
  };
  if ((kind === 'client-credentials' || secret !== undefined) && issuer === undefined) {
    throw new UsageError(
      'The authorization server that may get MCP_CLIENT_SECRET is not given.',
      'Name it: --issuer <url>',
    );
  }
  if (kind === 'client-credentials') {
    const program = {
      id: id ?? variable('MCP_CLIENT_ID', env, 'the id of the client'),
      secret: variable('MCP_CLIENT_SECRET', env, 'the secret of the client'),
      issuer: issuer ?? '',
    };
    return await logins.client(url, program, options);
  }
  if (kind === 'device') {
    return await logins.device(
      url,
      ({ userCode, address }) => {
        err.write(`Visit ${plain(address.href)}\nand enter the code ${line(userCode)}\n`);
      },
      options,
    );
  }
  await logins.browser(url, (address) => showLogin(address, io, settings), options);
}

function checkMetadataUrl(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' && url.pathname !== '/') return;
  throw new UsageError(
    `--client-metadata is ${JSON.stringify(line(address))}, which is no https address of a document.`,
    'Use --client-metadata https://example.com/client.json.',
  );
}

/** Revokes and forgets the tokens of a server. */
export async function logOut(session: CommandContext): Promise<CommandResult> {
  const url = await urlOf(session);
  const ended = await session.logins.logOut(url);
  const shown = shownUrl(url);
  const texts = {
    'not logged in': `You were not logged in at ${shown}.`,
    revoked: `Logged out at ${shown}.`,
    forgotten: `Logged out at ${shown}. The server could not revoke the tokens: they work until they expire.`,
  };
  return done(`${texts[ended]}\n`, { server: shown, ended });
}

/** The values of its variables may be secrets. */
function shownUrl(url: string): string {
  return line(shownServer({ url }), 500);
}

async function urlOf(session: CommandContext): Promise<string> {
  const location = await session.location();
  if ('url' in location) return location.url;
  throw new UsageError('Only servers at URLs have logins.', 'Give --server <url or name>.');
}
