import type { Lock } from '../../lock/index.js';
import type { Passing, Ruling, Watcher } from '../proxy/index.js';
import type { Recording } from '../index.js';
import { Library, SessionTable } from '../../validate/index.js';
import type { Protocols } from '../../validate/index.js';
import { Conversation } from './conversation.js';
import type { GuardFinding } from './finding.js';

export interface GuardOptions {
  readonly protocols: Protocols;
  readonly lock?: Lock | undefined;
  /** Refuses invalid messages. Default: they are reported and passed on. */
  readonly enforce?: boolean | undefined;
  /** Also records what each side sent. */
  readonly recording?: Recording | undefined;
  /** `isRefused`: its message was not passed on as it was. */
  readonly onFinding: (finding: GuardFinding, isRefused: boolean) => void;
}

export interface Guard extends Watcher {
  readonly counts: { messages: number; errors: number; warnings: number; refused: number };
}

const MOST_SESSIONS = { sessions: 1_000, bytes: Infinity, bytesOfEach: 0 };

/** Judges both directions of conversations by the negotiated revision, and by a lock. */
export function createGuard(options: GuardOptions): Guard {
  const { protocols, lock, enforce = false, recording, onFinding } = options;
  const library = new Library(protocols);
  const sessions = new SessionTable(
    MOST_SESSIONS,
    (key) => new Conversation(`session ${key}`, library, lock),
  );
  const counts = { messages: 0, errors: 0, warnings: 0, refused: 0 };
  /** Messages of both directions are judged in the order in which they came. */
  let last: Promise<unknown> = Promise.resolve();

  async function judge(passing: Passing): Promise<Ruling | undefined> {
    const { from, session } = passing;
    counts.messages += 1;
    const conversation = sessions.of(String(session));
    const { findings, ruling } = await conversation.judge(passing);
    const isRefused = enforce && ruling !== undefined;
    if (isRefused) counts.refused += 1;
    for (const finding of findings) {
      if (finding.severity === 'error') counts.errors += 1;
      else counts.warnings += 1;
      onFinding(finding, isRefused);
    }
    if (!isRefused) return undefined;
    await conversation.answered(ruling, from);
    return ruling;
  }

  return {
    holds: enforce,
    counts,
    see(passing) {
      if (passing.fault?.kind !== 'too-large') recording?.write(passing);
      const judged = last.then(() => judge(passing));
      last = judged.catch(() => undefined);
      return judged;
    },
    refused(session, request) {
      last = last.then(() => sessions.of(String(session)).withdraw(request));
    },
  };
}
