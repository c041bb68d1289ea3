/**
 * What a server promised, in programs and in their tests:
 *
 * ```ts
 * import { guarded, mock, recorded } from 'mcp-codegen/contracts';
 *
 * await client.connect(recorded(transport, { file: 'session.jsonl' }));
 * ```
 *
 * It is bundled into `dist/cli`, because it contains parts of the runtime, which is another package.
 */
import { PROTOCOLS } from './protocols/protocols.js';
import { guarded as guardedBy } from './recording/guard/index.js';
import type { GuardedOptions as ByProtocols, GuardFinding } from './recording/guard/index.js';
import type { Lock } from './lock/index.js';
import type { AnyTransport } from './recording/index.js';

export type { GuardCode, GuardFinding } from './recording/guard/index.js';
export { parseLock } from './lock/index.js';
export type { Lock } from './lock/index.js';
export { mock } from './mock/mock.js';
export type { MockOptions, MockRequest, MockServer, MockTransport } from './mock/types.js';
export { openRecording, recorded, RecordingError } from './recording/index.js';
export type {
  AnyTransport,
  RecordedOptions,
  Recording,
  RecordingOptions,
} from './recording/index.js';

export interface GuardedOptions extends Omit<ByProtocols, 'protocols' | 'lock' | 'enforce'> {
  /** What the server promises: `parseLock` reads a lock file. */
  readonly lock?: Lock | undefined;
  /** Refuses invalid messages. Default: they are reported and passed on. */
  readonly enforce?: boolean;
  /** Gets each finding. `isRefused`: its message was not passed on as it was. */
  readonly onFinding: (finding: GuardFinding, isRefused: boolean) => void;
}

/**
 * A transport whose messages are judged in both directions: by the revision that is negotiated, by the rules of the
 * conversation, and by a lock. The transport is one of the official SDK of either version, for a client or a server,
 * or another with its interface.
 */
export function guarded<T extends AnyTransport>(transport: T, options: GuardedOptions): T {
  return guardedBy(transport, { ...options, protocols: PROTOCOLS });
}
