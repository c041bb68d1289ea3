/** What every transport of the SDK has, in both of its versions (its documented `Transport`). */
export interface AnySdkTransport {
  start(): Promise<void>;
  /** Rejects when the message did not reach the other side. */
  send(message: never, options?: never): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  /** The HTTP session, if there is one. */
  readonly sessionId?: string | undefined;
  /** Called with the revision that was negotiated. */
  setProtocolVersion?: ((version: string) => void) | undefined;
}
