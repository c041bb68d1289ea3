import type { Readable, Writable } from 'node:stream';
import { isCancel, password, select, text } from '@clack/prompts';
import type { ClientIo } from './io.js';
import { dropped, kept, openTyped, withPasted } from './paste.js';
import type { Paste } from './paste.js';
import type { Settings } from './settings.js';
import { line, plain } from './text.js';
import { UsageError } from './usage.js';

/** The user left a prompt without an answer, with Ctrl-C, Ctrl-D or Escape. */
export class PromptLeft extends Error {}

export interface Prompting {
  readonly io: Pick<ClientIo, 'err' | 'terminal'>;
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal;
  /** Leaves the task that asks running, and its question open. Absent where no task asks. */
  readonly leave?: (() => void) | undefined;
}

/** What to do with a task that is running. */
export async function askStop(prompting: Prompting): Promise<'cancel' | 'detach' | 'go on'> {
  try {
    return await choose(
      'The task is running.',
      [
        { value: 'detach', label: 'Leave it running, and end here' },
        { value: 'cancel', label: 'Cancel it' },
        { value: 'go on', label: 'Go on waiting' },
      ],
      prompting,
    );
  } catch (error) {
    if (error instanceof PromptLeft) return 'detach';
    throw error;
  }
}

/**
 * Asks a question until it is answered. Leaving it with Ctrl-C is no answer: then the user chooses. `cancelled`
 * is the answer for "neither yes nor no".
 */
export async function untilAnswered<T>(
  ask: () => Promise<T>,
  cancelled: () => T,
  prompting: Prompting,
): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof PromptLeft)) throw error;
    }
    // The prompt was closed, because the call does not wait for the answer any more.
    if (prompting.signal.aborted) return cancelled();
    const choice = await chooseExit(prompting);
    if (choice === 'cancel') return cancelled();
    if (choice === 'leave') {
      prompting.leave?.();
      return await unanswered(prompting);
    }
  }
}

async function chooseExit(prompting: Prompting): Promise<'back' | 'cancel' | 'leave'> {
  const leave = { value: 'leave', label: 'Leave the task running, and answer later' } as const;
  try {
    return await choose(
      'The question is not answered.',
      [
        { value: 'back', label: 'Go back to it' },
        ...(prompting.leave ? [leave] : []),
        { value: 'cancel', label: 'Tell the server that you do not answer' },
      ],
      prompting,
    );
  } catch (error) {
    if (!(error instanceof PromptLeft)) throw error;
    // Ctrl-C twice: out of here, and nothing is decided if that is possible.
    return prompting.leave && !prompting.signal.aborted ? 'leave' : 'cancel';
  }
}

/** Leaves a question open for the client that resumes the task. */
export function unanswered({ signal }: { readonly signal: AbortSignal }): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(new Error('The question was not answered'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** Asks for one of some choices. A choice is named by its position, because what a choice stands for may be anything, `undefined` included. */
export async function choose<T extends string | number | boolean | undefined>(
  message: string,
  choices: readonly { readonly value: T; readonly label: string }[],
  prompting: Prompting,
  initial: T | undefined = undefined,
): Promise<T> {
  const index = await answered(prompting, (streams) =>
    select<number>({
      message,
      options: choices.map(({ label }, value) => ({ value, label: line(label) })),
      initialValue: Math.max(
        0,
        choices.findIndex(({ value }) => value === initial),
      ),
      ...streams,
    }),
  );
  return choices[index]?.value as T;
}

interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

/** The answer to a prompt. Throws `PromptLeft`, also at the end of the input (Ctrl-D), at which prompts never settle. */
export async function answered<T>(
  { io: { terminal }, signal }: Pick<Prompting, 'io' | 'signal'>,
  prompt: (streams: Streams) => Promise<T>,
  paste: Paste = dropped,
): Promise<Exclude<T, symbol>> {
  if (terminal === undefined || terminal.input.readableEnded) throw new PromptLeft();
  const { input, output } = terminal;
  const ended = new AbortController();
  const end = (): void => ended.abort();
  const onKey = (_: unknown, key?: { readonly ctrl: boolean; readonly name?: string }): void => {
    if (key?.ctrl && key.name === 'd') end();
  };
  const typed = openTyped(input, output, paste);
  typed.input.on('keypress', onKey);
  input.once('end', end);
  try {
    // A signal for each prompt, since prompts never stop listening to theirs.
    const either = AbortSignal.any([signal, ended.signal]);
    const answer = await prompt({ input: typed.input, output, signal: either });
    if (isCancel(answer)) throw new PromptLeft();
    return (typeof answer === 'string' ? withPasted(answer) : answer) as Exclude<T, symbol>;
  } finally {
    input.off('end', end);
    typed.close();
  }
}

/**
 * Asks for the value that a file of servers needs.
 *
 * @throws {UsageError} when users may not be asked, or do not answer.
 */
export async function askInput(
  message: string,
  isSecret: boolean,
  io: ClientIo,
  { mayAsk }: Pick<Settings, 'mayAsk'>,
): Promise<string> {
  const missing = new UsageError(
    `The server needs a value that its user types: ${message}.`,
    'Run the command at a terminal, without --no-input.',
  );
  if (!mayAsk || io.terminal === undefined) throw missing;
  const { signal } = new AbortController();
  try {
    return await answered(
      { io, signal },
      (streams) => (isSecret ? password({ message, ...streams }) : text({ message, ...streams })),
      kept,
    );
  } catch (error) {
    throw error instanceof PromptLeft ? missing : error;
  }
}

export function indented(message: string): string {
  return plain(message)
    .split('\n')
    .map((each) => `  ${each}`)
    .join('\n');
}
