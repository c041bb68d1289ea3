/** What `mock` can be told. */
export interface MockOptions {
  /** A lock file. It answers what the recording does not. */
  readonly lock?: string;
  /** How much faster than it was recorded. Default `Infinity`, which does not wait. */
  readonly speed?: number;
  /** Generated results are the same for the same seed. Default 1. */
  readonly seed?: number;
  /** Answers only in the revisions that were recorded, instead of translating. Default false. */
  readonly strict?: boolean;
  /** Where to serve Streamable HTTP; 0 for any free port. Default 0. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
}

/** A request that a mock got. */
export interface MockRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The revision that the client speaks. */
  readonly revision: string;
  /** `mock`: the same for every server, such as the answer to a ping. `nothing`: it got an error. */
  readonly answeredBy: 'recording' | 'lock' | 'mock' | 'nothing';
  /** Why nothing answered it. */
  readonly problem?: string;
}

/** The interface of client transports of the official SDK, version 1 and 2, and of clients of the runtime. */
export interface MockTransport {
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: object) => void;
}

/** A server that plays a recording. */
export interface MockServer extends AsyncDisposable {
  /** Where it serves Streamable HTTP. */
  readonly url: string;
  /** A program and its arguments that serve the same over stdio. */
  readonly command: readonly [string, ...string[]];
  /** The requests of all clients so far, up to the last 10,000. */
  readonly requests: readonly MockRequest[];
  /** A connection in this process. Each client needs one of its own. */
  transport(): MockTransport;
  close(): Promise<void>;
}
