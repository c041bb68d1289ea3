/** The contract of authorization: what finds out who makes a request over HTTP. `bearer.ts` implements it for tokens. */

import type { JsonObject } from '../../tasks/index.js';
import type { VerifiedToken } from './claims.js';

/** A verified identity. It has the shape that the middleware and the transports of the official SDK use as well. */
export interface AuthInfo {
  /** The access token. Empty where code in front of the server identified the caller. */
  readonly token: string;
  /** The application that got the token. */
  readonly clientId: string;
  readonly scopes: string[];
  /** Seconds since the epoch. */
  readonly expiresAt?: number;
  /** The resource for which the token was issued (RFC 8707). */
  readonly resource?: URL;
  /** Where the document says how clients get a token (RFC 9728). */
  readonly resourceMetadataUrl?: string;
  /** `issuer` and `subject`, which identify the user, and whatever else a verifier adds. */
  readonly extra?: Record<string, unknown>;
}

export interface Authorization {
  /** The verified identity, or the answer that refuses the request. */
  readonly authenticate: (request: Request) => Promise<AuthInfo | Response>;
  /**
   * The same, for an `Authorization` header: spares the server a web request for each request of Node. `head` makes one
   * without the body.
   */
  readonly authenticateHeader?: (
    header: string | null,
    head: () => Request,
  ) => AuthInfo | Response | Promise<AuthInfo | Response>;
  /**
   * The `WWW-Authenticate` header for a caller whose token lacks scopes, of which `scopes` are all that the request needs.
   * Default: one that names the scopes alone.
   */
  readonly challenge?: (scopes: readonly string[]) => string;
  /** The document that says where clients get a token; undefined for other requests. */
  readonly metadata: (request: Request) => Response | undefined;
  /** The only path of which `metadata` has a document. Default: it is called for every path. */
  readonly metadataPath?: string;
  /** Why the last token could be neither accepted nor refused; undefined when it could. */
  readonly fault?: () => unknown;
  /**
   * Rejects while tokens cannot be verified. After a fault it tries again, so that a server that gets
   * no requests while it is failing notices when its authorization server is back.
   */
  readonly probe?: () => Promise<void>;
  /**
   * Rejects when no token can be verified because the program is incomplete. `serveHttp` and `serveBoard` then reject
   * as well. `createNodeHandler` and `createHttpHandler` report it to `onError` at once, and the health page fails.
   */
  readonly ready?: () => Promise<void>;
}

export interface BearerOptions {
  /** The URL under which clients reach this server. Tokens have to be issued for it. */
  readonly resource: string;
  /** The issuer of tokens: the authorization server. */
  readonly issuer: string;
  /** Scopes that every request needs. */
  readonly scopes?: readonly string[];
  /** `introspect(…)`, or `verifyJwt(…)` of `@mcp-codegen/runtime/server/jwt`, or a function of yours. */
  readonly verify: TokenVerifier;
  /**
   * Milliseconds for which an accepted token is not verified again, and so for which a revoked token still
   * works. Never longer than the token is valid; 0 verifies it for each request.
   * Default: 60,000.
   */
  readonly rememberMs?: number;
  /** Checks the binding of tokens with a `confirmation` (`cnf`). Default: such tokens are refused with 401. */
  readonly confirm?: ConfirmBinding;
}

/**
 * Resolves with undefined for a token that is not genuine. Rejects when that cannot be found out. What it resolves with
 * is checked: for something else than a `VerifiedToken` the request gets 500, `onError` gets the reason, and the health
 * page fails until a token was verified.
 */
export interface TokenVerifier {
  (token: string): Promise<VerifiedToken | undefined>;
  /** Rejects while tokens cannot be verified. Default: verifies a token that is not genuine. */
  readonly probe?: () => Promise<void>;
  /** Rejects when it can verify no token, whatever the authorization server does: for `ready` of an `Authorization`. */
  readonly ready?: () => Promise<void>;
}

/** A token that only the holder of a key may use, and the request that sends it. */
export interface BoundToken {
  readonly token: string;
  /** `dpop` for `Authorization: DPoP …` (RFC 9449), else `bearer`. A token with `jkt` never comes as `bearer`. */
  readonly scheme: 'bearer' | 'dpop';
  /** The `cnf` of the token: `jkt` is the thumbprint of a DPoP key, `x5t#S256` that of a client certificate (RFC 8705). */
  readonly confirmation: JsonObject;
  /**
   * Method, URL and headers of the request, without its body. The URL is the one under which the request arrived, so
   * compare the `htu` of a DPoP proof with `resource` instead where a proxy is in front of the server.
   */
  readonly request: Request;
}

/**
 * Checks that the client that sends a bound token holds its key: by the header `DPoP`, for instance, or by the client
 * certificate that a proxy passes on in a header. Called for each request. Everything but `true` refuses it with 401.
 */
export type ConfirmBinding = (bound: BoundToken) => boolean | Promise<boolean>;

/** The owner of all tasks on a transport without authorization: the local user, or any client. */
export const LOCAL_OWNER = 'local';
export const ANYBODY = 'anybody';

/** How requestors are identified. */
export type Identification = 'authorization' | typeof LOCAL_OWNER | typeof ANYBODY;

/** What is wrong with an identity. Its message names the member, and quotes no value: it goes to logs. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
}
