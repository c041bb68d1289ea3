import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LoginError } from './login-error.js';
import {
  PrivateFileError,
  readPrivateFile,
  withPrivateLock,
  writePrivateFile,
} from './private-file.js';

/** How a login got its tokens. */
export type Grant = 'browser' | 'device' | 'client-credentials';

/** Where a client comes from. */
export interface ClientOrigin {
  /** Whether it was registered by hand. Otherwise it registered itself, or has a metadata document. */
  readonly isRegistered: boolean;
  /** The https address of its metadata document. */
  readonly clientMetadataUrl?: string | undefined;
  /** The exact port to which the browser comes back. */
  readonly redirectPort?: number | undefined;
}

/** A login at one server. */
export interface Credentials {
  /** The URL of the MCP server. */
  readonly server: string;
  readonly grant: Grant;
  /** The authorization server that issued the tokens, as it was found at the login. */
  readonly discovery: OAuthDiscoveryState;
  readonly client: StoredOAuthClientInformation;
  /** Where the client comes from, for a further login with the same one. */
  readonly origin?: ClientOrigin | undefined;
  /** The scopes that the login asked for, separated by spaces. Undefined: it left them to the SDK. */
  readonly scope?: string | undefined;
  readonly tokens: StoredOAuthTokens;
  /** The resource indicator (RFC 8707) that the tokens are for. */
  readonly resource?: string | undefined;
}

/** Logins, a private file each: programs that run at once do not overwrite each other's. */
export interface CredentialStore {
  /** @throws {PrivateFileError} */
  load(server: string): Promise<Credentials | undefined>;
  /** @throws {PrivateFileError} @throws {LoginError} when a token is malformed. */
  save(credentials: Credentials): Promise<void>;
  forget(server: string): Promise<void>;
  /** Runs `work` while no other program changes the login at this server. @throws {PrivateFileError} */
  alone<T>(server: string, work: () => Promise<T>): Promise<T>;
}

export function openCredentials(folder: string): CredentialStore {
  const pathOf = (server: string): string => {
    const name = createHash('sha256').update(normal(server)).digest('hex').slice(0, 16);
    return join(folder, `${name}.json`);
  };
  return {
    async load(server) {
      const path = pathOf(server);
      const read = await readPrivateFile(path);
      if (read === undefined) return undefined;
      // A file that was renamed must not send its tokens to another server.
      if (isCredentials(read) && normal(read.server) === normal(server)) return read;
      throw new PrivateFileError(`${path} contains no login for ${server}. Delete it.`);
    },
    async save(credentials) {
      assertTokens(credentials.tokens);
      await writePrivateFile(pathOf(credentials.server), credentials);
    },
    async forget(server) {
      await rm(pathOf(server), { force: true });
    },
    alone: (server, work) => withPrivateLock(pathOf(server), work),
  };
}

function normal(server: string): string {
  const url = new URL(server);
  url.hash = '';
  return url.href;
}

function isCredentials(value: unknown): value is Credentials {
  const { server, grant, discovery, client, origin, scope, tokens, resource } = Object(
    value,
  ) as Record<string, unknown>;
  return (
    typeof server === 'string' &&
    URL.canParse(server) &&
    ['browser', 'device', 'client-credentials'].includes(String(grant)) &&
    hasText(discovery, 'authorizationServerUrl') &&
    hasText(client, 'client_id') &&
    hasText(tokens, 'access_token') &&
    malformedIn(tokens as StoredOAuthTokens) === undefined &&
    (scope === undefined || typeof scope === 'string') &&
    (origin === undefined || isOrigin(origin)) &&
    (resource === undefined || typeof resource === 'string')
  );
}

/**
 * The characters that members of a token response may have (RFC 6749, appendix A). A token has no space, because it is one
 * word of a header (RFC 6750, section 2.1).
 */
const ALLOWED = {
  access_token: /^[\x21-\x7e]+$/,
  refresh_token: /^[\x21-\x7e]+$/,
  id_token: /^[\x21-\x7e]+$/,
  token_type: /^[\x21-\x7e]+$/,
  scope: /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/,
} as const;

function malformedIn(tokens: StoredOAuthTokens): string | undefined {
  return Object.entries(ALLOWED).find(([name, characters]) => {
    const value = tokens[name as keyof typeof ALLOWED];
    return value !== undefined && !characters.test(value);
  })?.[0];
}

/** @throws {LoginError} */
function assertTokens(tokens: StoredOAuthTokens): void {
  const name = malformedIn(tokens);
  if (name === undefined) return;
  throw new LoginError(
    `The \`${name}\` of the authorization server has characters that RFC 6749 does not allow, so it was not kept`,
  );
}

function isOrigin(value: unknown): value is ClientOrigin {
  const { isRegistered, clientMetadataUrl, redirectPort } = Object(value) as Record<
    string,
    unknown
  >;
  return (
    typeof isRegistered === 'boolean' &&
    (clientMetadataUrl === undefined || typeof clientMetadataUrl === 'string') &&
    (redirectPort === undefined || Number.isInteger(redirectPort))
  );
}

function hasText(value: unknown, name: string): boolean {
  return typeof (Object(value) as Record<string, unknown>)[name] === 'string';
}
