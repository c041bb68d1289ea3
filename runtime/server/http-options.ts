import type { IncomingMessage } from 'node:http';
import type { AuthInfo, Authorization } from './auth/index.js';
import type { CallerIdentity } from '../tasks/index.js';
import type { SessionOptions } from '../transport/index.js';

/** `R` is what `identify` gets: a web request, or one of Node's HTTP server. */
export interface HttpOptions<R = unknown> extends SessionOptions {
  /** Who may come in, and how they are told apart. */
  readonly auth?: Authorization;
  /**
   * Takes over whom middleware in front of this server has let in, instead of `auth`. It is called for each request, so
   * it must be right for each: return `request.auth` after the SDK's `requireBearerAuth`, for instance. What is
   * returned is the owner of the tasks, and the `caller` of the tools.
   */
  readonly identify?: Identify<R>;
  /**
   * Serves without authorization, to anybody who can reach the address. Tasks are then protected by
   * nothing but their ids, cannot be listed, and any client that knows an id may answer a task's questions.
   */
  readonly allowUnidentified?: boolean;
  /**
   * Lets tools ask users for input (elicitation) without authorization as well, where anybody who knows
   * the id of a task may answer in the user's place. Default: such questions are refused with `-32600`.
   */
  readonly allowUnidentifiedInput?: boolean;
  /** Default: `/mcp`. */
  readonly path?: string;
  /** Default: `/health`. Below it, `/live` tells whether the process answers. */
  readonly healthPath?: string;
  /** Host names under which the server may be called. Default: those of this machine. */
  readonly allowedHosts?: readonly string[];
  /**
   * Web pages that may call the server: host names (`app.example`, of any scheme and port) or origins
   * (`https://app.example:8443`). Default: the host names of this machine.
   */
  readonly allowedOrigins?: readonly string[];
  /** Default 4 MiB. */
  readonly maxBodyBytes?: number;
  /**
   * Bytes of all request bodies together that have come in part; default 64 MiB, or `maxBodyBytes` if that is more.
   * Beyond it, the body that began the longest time ago gets 503.
   */
  readonly maxReceivingBytes?: number;
  /**
   * Bytes of the bodies of all requests together that are not answered yet, without those up to 16 KiB; default 128 MiB, or
   * `maxBodyBytes` if that is more. Beyond it, a body gets 503, and 429 when its subject has half of them.
   */
  readonly maxPendingBytes?: number;
  /** Open `subscriptions/listen` streams; default 10,000. */
  readonly maxSubscriptions?: number;
  /** Bytes of all streams and answers that may wait for their readers; default 64 MiB. */
  readonly maxWaitingBytes?: number;
  /** Milliseconds between comments on streams, which keep proxies from cutting them. Default 15,000. */
  readonly keepAliveMs?: number;
  /**
   * Milliseconds for which a client of a session that has disconnected from a stream may come back to it, before its
   * questions go to another client. Default 5,000.
   */
  readonly resumeMs?: number;
  /** Told of each request that is answered with a status of 400 or more. */
  readonly onRefused?: (refusal: RefusedRequest) => void;
}

/** A request that was refused. Without method and path where they could not be read. */
export interface RefusedRequest {
  readonly status: number;
  readonly method?: string;
  readonly path?: string;
}

/**
 * Who makes a request, found out by code in front of this server: a `CallerIdentity`, or the `AuthInfo` of the SDK's
 * `requireBearerAuth` with `issuer` and `subject` in its `extra`. A `Response` refuses the request, and `undefined`
 * refuses it with 401. A rejection, and every other value, refuse it with 500 and are reported to `onError`.
 */
export type Identify<R> = (request: R) => Identified | Promise<Identified>;

export type Identified = CallerIdentity | AuthInfo | Response | undefined;

/** A request of Node's HTTP server, of Express or of Fastify; `auth` is what middleware such as `requireBearerAuth` sets. */
export type NodeRequest = IncomingMessage & { readonly auth?: AuthInfo };
