import {
  type Channel,
  LazyAbort,
  methodsOf,
  Peer,
  type PeerOptions,
  rpcError,
  type Rows,
} from '../../runtime/peer/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { createOperations } from '../../runtime/telemetry/index.js';
import { type Revision, withoutValues } from '../../runtime/peer/wire/revision.js';

/** A channel that keeps what is sent, as it would be read. */
export class KeptChannel implements Channel {
  readonly sent: JsonObject[] = [];
  readonly refused: boolean[] = [];
  readonly gone = new LazyAbort();
  closed = 0;
  onSent: ((message: JsonObject) => void) | undefined;

  send(_message: JsonObject, text: string, refused = false): void {
    const message = JSON.parse(text) as JsonObject;
    this.sent.push(message);
    this.refused.push(refused);
    this.onSent?.(message);
  }

  close(): void {
    this.closed += 1;
  }
}

/** Where the messages of a test come from: nothing is known of it. */
export const ORIGIN = undefined;
export type TestOrigin = typeof ORIGIN;

export interface Tested {
  readonly peer: Peer<TestOrigin>;
  readonly problems: string[];
  readonly late: () => number;
}

/** A server or a client of one revision, with these rows. */
export function peerOf(
  revision: Revision,
  rows: Rows<TestOrigin>,
  options: Partial<PeerOptions<TestOrigin>> & { readonly capabilities?: JsonObject } = {},
): Tested {
  const { other = 'client', capabilities = {} } = options;
  const problems: string[] = [];
  let late = 0;
  const methods = methodsOf(revision, other === 'client' ? 'server' : 'client', rows, capabilities);
  const peer = new Peer<TestOrigin>({
    other,
    revisionOf: () => revision,
    methodsIn: () => methods,
    isConversation: true,
    operations: createOperations('server'),
    factsOf: () => ({ revision: revision.version }),
    invalidAnswer: (problem) => rpcError(-32602, `Invalid answer: ${withoutValues(problem)}`),
    onLateAnswer: () => (late += 1),
    onProblem: (error) => problems.push(error.message),
    ...options,
  });
  return { peer, problems, late: () => late };
}
