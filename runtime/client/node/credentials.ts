import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PrivateFileError, readPrivateFile, writePrivateFile } from './private-file.js';

/** How a login got its tokens. */
export type Grant = 'browser' | 'device' | 'client-credentials';

/** A login at one server. */
export interface Credentials {
  /** The URL of the MCP server. */
  readonly server: string;
  readonly grant: Grant;
  /** The authorization server that issued the tokens, as it was found at the login. */
  readonly discovery: OAuthDiscoveryState;
  readonly client: StoredOAuthClientInformation;
  readonly tokens: StoredOAuthTokens;
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
  };
}

function normal(server: string): string {
  const url = new URL(server);
  url.hash = '';
  return url.href;
}

function isCredentials(value: unknown): value is Credentials {
  const { server, grant, discovery, client, tokens, resource } = Object(value) as Record<
    string,
    unknown
  >;
  return (
    typeof server === 'string' &&
    URL.canParse(server) &&
    ['browser', 'device', 'client-credentials'].includes(String(grant)) &&
    hasText(discovery, 'authorizationServerUrl') &&
    hasText(client, 'client_id') &&
    hasText(tokens, 'access_token') &&
    (resource === undefined || typeof resource === 'string')
  );
}

function hasText(value: unknown, name: string): boolean {
  return typeof (Object(value) as Record<string, unknown>)[name] === 'string';
}
