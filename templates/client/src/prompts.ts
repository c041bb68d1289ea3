import { isCancel, select } from '@clack/prompts';
import type { Io } from './io.js';
import type { ElicitResult } from '@mcp-codegen/runtime/2025-11-25';
import { line, plain } from './text.js';

/** The user left a prompt without an answer, with Ctrl-C or Escape. */
export class PromptLeft extends Error {}

export interface Prompting {
  readonly io: Io;
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal;
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

/** Leaving a prompt is the answer `cancel`: neither yes nor no. */
export async function cancelIfLeft(work: () => Promise<ElicitResult>): Promise<ElicitResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PromptLeft) return { action: 'cancel' };
    throw error;
  }
}

/** Asks for one of some choices. A choice is named by its position, because what a choice stands for may be anything, `undefined` included. */
export async function choose<T extends string | number | boolean | undefined>(
  message: string,
  choices: readonly { readonly value: T; readonly label: string }[],
  prompting: Prompting,
  initial: T | undefined = undefined,
): Promise<T> {
  const index = await answered(
    select<number>({
      message,
      options: choices.map(({ label }, value) => ({ value, label: line(label) })),
      initialValue: Math.max(
        0,
        choices.findIndex(({ value }) => value === initial),
      ),
      ...streams(prompting),
    }),
  );
  return choices[index]?.value as T;
}

export function streams({ io, signal }: Prompting): object {
  // A signal for each prompt, since prompts never stop listening to theirs.
  return { input: io.input, output: io.messages, signal: AbortSignal.any([signal]) };
}

export async function answered<T>(prompt: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await prompt;
  if (isCancel(answer)) throw new PromptLeft();
  return answer as Exclude<T, symbol>;
}

export function indented(message: string): string {
  return plain(message)
    .split('\n')
    .map((each) => `  ${each}`)
    .join('\n');
}
