/* eslint-disable @typescript-eslint/no-unsafe-member-access -- mutations change messages of any shape */
import { sessionTape } from './session.js';
import { statelessTape } from './stateless.js';
import type { Tape } from './tape.js';

/** By rule, recordings that break it and no other: a conversation without findings, and one change. */
export type Mutations = Readonly<Record<string, readonly (() => string | Uint8Array)[]>>;

type Change = (tape: Tape) => Tape;

export const session = (change: Change) => (): string => change(sessionTape()).text();
export const stateless = (change: Change) => (): string => change(statelessTape()).text();

/** Refuses a version. */
export function refuse(tape: Tape, requested: string, supported: readonly string[]): Tape {
  return tape.edit('missing answer', (message) => {
    message.error = { code: -32022, message: 'unsupported', data: { requested, supported } };
  });
}

export const cancelled = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

export function messageIn(tape: Tape, name: string): { id: unknown } {
  let found = { id: undefined as unknown };
  tape.edit(name, (message) => (found = message as typeof found));
  return found;
}
