import type { LoginOptions } from '@mcp-codegen/runtime/client/node';
import { openInBrowser } from '../browser.js';
import { connectionError } from '../connection-error.js';
import { UsageError } from '../exit.js';
import { isInteractive } from '../io.js';
import { done } from '../session.js';
import type { Outcome, Session } from '../session.js';
import { line, plain } from '../text.js';
import { variable } from '../headers.js';
import { serverOf } from './call.js';

/** `login`: gets a token from the authorization server that the server names. */
export async function logIn(session: Session): Promise<Outcome> {
  const { io, invocation } = session;
  const url = urlOf(session);
  const stop = new AbortController();
  const stopListening = io.onInterrupt(() => stop.abort());
  const { timeout } = invocation;
  const signal =
    timeout === undefined
      ? stop.signal
      : AbortSignal.any([stop.signal, AbortSignal.timeout(timeout)]);
  try {
    await grant(session, url, signal);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'LoginError') throw error;
    const hint = /dynamic client registration/.test(error.message)
      ? ' Register this client there by hand, and set MCP_CLIENT_ID to its id.'
      : '';
    const reason = connectionError({ url }, error, timeout);
    const message = `${reason.replace(/^Cannot connect/, 'Cannot log in')}${hint}`;
    throw new Error(message, { cause: error });
  } finally {
    stopListening();
  }
  return done(`Logged in at ${url}.\n`, { server: url });
}

async function grant(session: Session, url: string, signal: AbortSignal): Promise<void> {
  const { io, logins, invocation } = session;
  const { env, messages } = io;
  const { grant: kind, scope, issuer } = invocation.login;
  const id = env['MCP_CLIENT_ID'];
  const secret = env['MCP_CLIENT_SECRET'];
  const options: LoginOptions = {
    signal,
    scope,
    ...(id !== undefined && { registered: { id, secret, issuer } }),
  };
  if ((kind === 'client-credentials' || secret !== undefined) && issuer === undefined) {
    throw new UsageError(
      'Which authorization server may get MCP_CLIENT_SECRET? Name it: --issuer <url>',
    );
  }
  if (kind === 'client-credentials') {
    const program = {
      id: variable('MCP_CLIENT_ID', env, 'the id of the client'),
      secret: variable('MCP_CLIENT_SECRET', env, 'the secret of the client'),
      issuer: issuer ?? '',
    };
    return await logins.client(url, program, options);
  }
  if (kind === 'device') {
    return await logins.device(
      url,
      ({ userCode, address }) => {
        messages.write(`Visit ${plain(address.href)}\nand enter the code ${line(userCode)}\n`);
      },
      options,
    );
  }
  await logins.browser(
    url,
    (address) => {
      messages.write(
        `Log in at ${address.host} with your browser:\n\n  ${plain(address.href)}\n\n`,
      );
      if (isInteractive(io) && invocation.mayAsk) openInBrowser(address.href);
    },
    options,
  );
}

/** `logout`: revokes and forgets the tokens of a server. */
export async function logOut(session: Session): Promise<Outcome> {
  const url = urlOf(session);
  const ended = await session.logins.logOut(url);
  const texts = {
    'not logged in': `You were not logged in at ${url}.`,
    revoked: `Logged out at ${url}.`,
    forgotten: `Logged out at ${url}. The server could not revoke the tokens: they work until they expire.`,
  };
  return done(`${texts[ended]}\n`, { server: url, ended });
}

function urlOf(session: Session): string {
  const server = serverOf(session);
  if ('url' in server) return server.url;
  throw new UsageError('Only servers at URLs have logins. Which server? --server <url or name>');
}
