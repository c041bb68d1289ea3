import type { AuthorizationServer, Client } from 'oauth4webapi';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { at } from '../../peer/wire/json.js';
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

/** A client as an authorization server has it. */
export interface OAuthClient extends Client {
  readonly client_secret?: string;
  readonly token_endpoint_auth_method?: string;
  /** The authorization server. */
  readonly issuer: string;
}

/** What an authorization server gives for a grant. */
export interface Tokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string;
  /** The scopes that were granted, separated by spaces. Undefined: those that were asked for. */
  readonly scope?: string;
}

/** A login at one server. */
export interface Credentials {
  /** The URL of the MCP server. */
  readonly server: string;
  readonly grant: Grant;
  /** The authorization server that issued the tokens, as it was found at the login. */
  readonly discovery: { readonly authorizationServerMetadata: AuthorizationServer };
  readonly client: OAuthClient;
  /** Where the client comes from, for a further login with the same one. */
  readonly origin?: ClientOrigin | undefined;
  /** The scopes that the login asked for, separated by spaces. */
  readonly scope?: string | undefined;
  readonly tokens: Tokens;
  /** The resource indicator (RFC 8707) that the tokens are for. */
  readonly resource?: string | undefined;
}

/** Logins, a private file each: programs that run at once do not overwrite each other's. */
export interface CredentialStore {
  /** @throws {PrivateFileError} */
  load(server: string): Promise<Credentials | undefined>;
  /** @throws {PrivateFileError} */
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
    hasText(at(discovery, ['authorizationServerMetadata']), 'issuer') &&
    hasText(client, 'client_id') &&
    hasText(tokens, 'access_token') &&
    areAllowed(tokens as Tokens) &&
    (scope === undefined || typeof scope === 'string') &&
    (origin === undefined || isOrigin(origin)) &&
    (resource === undefined || typeof resource === 'string')
  );
}

/**
 * The characters that members of a token response may have (RFC 6749, appendix A). A token has no space, because it is one
 * word of a header (RFC 6750, section 2.1).
 */
export const ALLOWED = {
  access_token: /^[\x21-\x7e]+$/,
  refresh_token: /^[\x21-\x7e]+$/,
  id_token: /^[\x21-\x7e]+$/,
  token_type: /^[\x21-\x7e]+$/,
  scope: /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/,
} as const;

function areAllowed(tokens: Tokens): boolean {
  return Object.entries(ALLOWED).every(([name, characters]) => {
    const value: unknown = tokens[name as keyof Tokens];
    return value === undefined || (typeof value === 'string' && characters.test(value));
  });
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
