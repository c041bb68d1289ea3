import type { FetchLike } from '../index.js';

/** A client that was registered with the authorization server beforehand. */
export interface RegisteredClient {
  readonly id: string;
  readonly secret?: string | undefined;
  /** The only authorization server that may get the id and the secret. */
  readonly issuer?: string | undefined;
}

export interface LoginOptions {
  /** Scopes, separated by spaces. Default: those that the server names. */
  readonly scope?: string | undefined;
  /** Default: the client registers itself (RFC 7591). */
  readonly registered?: RegisteredClient | undefined;
  /**
   * The https address of a client metadata document, for authorization servers that take it as the id of the client.
   * Others get a registration.
   */
  readonly clientMetadataUrl?: string | undefined;
  /** The port of 127.0.0.1 to which the browser comes back, for a client with an exact address. Default: any. */
  readonly redirectPort?: number | undefined;
  /** Aborting it ends the login. */
  readonly signal?: AbortSignal | undefined;
}

/** A program's own identity. The authorization server `issuer` is the only one that gets the secret. */
export interface ClientSecret {
  readonly id: string;
  readonly secret: string;
  readonly issuer: string;
}

/** What the user enters in a browser, on any device. */
export interface DeviceCode {
  readonly userCode: string;
  readonly address: URL;
  /** The address with the code in it, if the authorization server has one. */
  readonly complete: URL | undefined;
}

/** What a grant needs. */
export interface GrantOptions extends LoginOptions {
  readonly clientName: string;
  readonly fetchFn: FetchLike;
}
