import * as z from 'zod';
import type { Authorization } from '../server/auth/index.js';
import { serveHttp, type ServeHttpOptions } from '../server/serve.js';
import type { AuthPart, TransportPart } from './parts.js';
import { serveHealth } from './serve-health.js';
import type { SettingsOf } from './settings.js';
import { list, text } from './setting-types.js';
import { serveStdio } from '../server/stdio.js';

/** The options of `serveHttp`. Host, port, allowed hosts and allowed origins are the defaults of their settings. */
export interface HttpPartOptions extends Omit<ServeHttpOptions, 'auth' | 'allowUnidentified'> {
  /** Who may come in: `jwt()`, `introspection()` or an authorization of yours. */
  readonly auth?: AuthPart | Authorization;
}

const MINUTE = 60_000;
/** A client that has the id of a task may read the task, so tasks do not live long. */
const UNIDENTIFIED_LIMITS = { ttlDefault: 10 * MINUTE, ttlMax: 15 * MINUTE };
/** The reverse proxy of a cluster routes sessions by this header. */
const SESSION_KEY_HEADER = 'mcp-session-key';

function settingsOf({
  host = '127.0.0.1',
  port = 3000,
  allowedHosts,
  allowedOrigins,
}: HttpPartOptions) {
  return {
    HOST: text()
      .default(host)
      .describe('The address to listen at; at 0.0.0.0 other machines can connect'),
    PORT: z.coerce
      .number()
      .int()
      .min(0)
      .max(65_535)
      .default(port)
      .describe('The port to listen at'),
    ALLOWED_HOSTS: names(allowedHosts).describe(
      `Host names of the server${allowedHosts === undefined ? LOCAL_DEFAULT : ''}`,
    ),
    ALLOWED_ORIGINS: names(allowedOrigins).describe(
      `Web pages that may call it: hosts or origins${allowedOrigins === undefined ? LOCAL_DEFAULT : ''}`,
    ),
  };
}

const LOCAL_DEFAULT = ' (default: those of this machine)';

function names(preset: readonly string[] | undefined) {
  return preset === undefined ? list().optional() : list().default([...preset]);
}

type HttpSettings = SettingsOf<ReturnType<typeof settingsOf>>;

/**
 * Streamable HTTP, for any number of clients. Without `auth` and `identify` anybody who can reach the address may use
 * the server: tasks then live for 10 minutes, 15 at most, unless the server sets limits. Settings: `HOST`, `PORT`,
 * `ALLOWED_HOSTS`, `ALLOWED_ORIGINS`, and those of `auth`.
 */
export function http(options: HttpPartOptions = {}): TransportPart {
  const { auth, identify, ...rest } = options;
  const unidentified = auth === undefined && identify === undefined;
  const authPart = auth !== undefined && 'authorize' in auth ? auth : undefined;
  const own = auth !== undefined && 'authorize' in auth ? undefined : auth;
  const part: TransportPart<ReturnType<typeof settingsOf>> = {
    settings: { ...settingsOf(options), ...authPart?.settings },
    hints: { ListenError: 'PORT and HOST set the address.' },
    processPerClient: false,
    ...(unidentified && { limits: UNIDENTIFIED_LIMITS }),
    ...(authPart && { auth: authPart }),
    async serve(server, settings, shared) {
      const authorization = own ?? (await authPart?.authorize(settings));
      return serveHttp(server, {
        ...(shared && { sessionKeyHeader: SESSION_KEY_HEADER }),
        ...rest,
        ...addressIn(settings),
        ...(identify && { identify }),
        ...(authorization && { auth: authorization }),
        ...(unidentified && { allowUnidentified: true }),
      });
    },
    serveWorker: (server, { HOST, PORT }) => {
      const { healthPath } = rest;
      const page = healthPath === undefined ? {} : { healthPath };
      return serveHealth(server, { host: HOST, port: PORT, ...page });
    },
  };
  return part;
}

function addressIn({ HOST, PORT, ALLOWED_HOSTS, ALLOWED_ORIGINS }: HttpSettings) {
  return {
    host: HOST,
    port: PORT,
    ...(ALLOWED_HOSTS && { allowedHosts: ALLOWED_HOSTS }),
    ...(ALLOWED_ORIGINS && { allowedOrigins: ALLOWED_ORIGINS }),
  };
}

/** One client, which starts the process and speaks on standard input and output: the local user, who owns all tasks. */
export function stdio(): TransportPart {
  return {
    settings: {},
    hints: {},
    processPerClient: true,
    serve: (server) => serveStdio(server),
  };
}
