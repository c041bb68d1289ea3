import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '../../tasks/index.js';
import { clientFor } from './client-for.js';
import type { Credentials } from './credentials.js';
import { assertSecure, discover } from './discovery.js';
import { LoginError, Refused } from './login-error.js';
import type { DeviceCode, GrantOptions } from './login-options.js';
import { requestDevice, requestTokens } from './oauth.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The device authorization grant (RFC 8628). */
export async function deviceLogin(
  server: string,
  show: (code: DeviceCode) => void,
  options: GrantOptions,
): Promise<Credentials> {
  const { clientName, fetchFn, signal } = options;
  const found = await discover(server, fetchFn);
  const { metadata, resource } = found;
  if (metadata.device_authorization_endpoint === undefined) {
    throw new LoginError(`${metadata.issuer} has no login by device. Use the browser`);
  }
  const scope = options.scope ?? found.scope;
  const client = await clientFor(
    metadata,
    // A document names where the browser comes back.
    { ...options, clientMetadataUrl: undefined },
    {
      client_name: clientName,
      redirect_uris: [],
      grant_types: [DEVICE_GRANT, 'refresh_token'],
      response_types: [],
      scope,
    },
  );
  const party = { metadata, client, resource, fetchFn };
  const started = startedIn(await requestDevice(party, scope));
  show(started);
  const { deviceCode } = started;
  const tokens = await poll(started, signal, () =>
    requestTokens(party, DEVICE_GRANT, { device_code: deviceCode }, [deviceCode]),
  );
  return {
    ...{ server, grant: 'device', client, tokens, scope, resource },
    discovery: { authorizationServerMetadata: metadata },
  };
}

interface Started extends DeviceCode {
  readonly deviceCode: string;
  /** Seconds between two requests for the token. */
  readonly interval: number;
  /** Seconds. */
  readonly expiresIn: number;
}

function startedIn(answer: JsonObject): Started {
  const textOf = (name: string): string => {
    const text = answer[name];
    if (typeof text === 'string') return text;
    throw new LoginError(`The \`${name}\` of the authorization server is not a string`);
  };
  const complete = answer['verification_uri_complete'];
  const what = 'The address of the login page';
  return {
    deviceCode: textOf('device_code'),
    userCode: textOf('user_code'),
    address: assertSecure(textOf('verification_uri'), what),
    complete: typeof complete === 'string' ? assertSecure(complete, what) : undefined,
    interval: secondsOf(answer['interval'], 5, 60),
    expiresIn: secondsOf(answer['expires_in'], 600, 3_600),
  };
}

/** A number of seconds from a stranger: at least one, at most `most`. */
function secondsOf(value: unknown, usual: number, most: number): number {
  return typeof value === 'number' ? Math.min(Math.max(1, value), most) : usual;
}

/** Seconds by which a `slow_down` lengthens the interval (RFC 8628, section 3.5). */
const SLOWER = 5;

async function poll<T>(
  { interval, expiresIn }: Started,
  signal: AbortSignal | undefined,
  request: () => Promise<T>,
): Promise<T> {
  const end = performance.now() + expiresIn * 1_000;
  let pause = interval;
  while (performance.now() < end) {
    await setTimeout(pause * 1_000, undefined, signal && { signal }).catch(() => {
      throw new LoginError('The login was ended before it was finished');
    });
    try {
      return await request();
    } catch (error) {
      // A connection may fail meanwhile.
      if (!(error instanceof LoginError)) pause += SLOWER;
      else if (!(error instanceof Refused)) throw error;
      else if (error.code === 'slow_down') pause += SLOWER;
      else if (error.code === 'expired_token') break;
      else if (error.code !== 'authorization_pending') throw error;
    }
  }
  throw new LoginError('The code has expired before you entered it');
}
