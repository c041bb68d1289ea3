import { askForm, askStop, askUrl } from './ask.js';
import { checkAnswers } from './form.js';
import { isInteractive } from './io.js';
import type { Io } from './io.js';
import type { Answerers, JsonObject } from '@mcp-codegen/runtime/client';
import type { ProgressLine } from './progress.js';
import { plain } from './text.js';

/** Who answers what servers ask: what was given in advance, then a person, if there is one. */
export interface Asker {
  readonly answer: Answerers;
  /** What to do with a running task; without anybody to ask it is left running. */
  stop(signal: AbortSignal): Promise<'cancel' | 'detach' | 'go on'>;
}

export interface AskerOptions {
  readonly io: Io;
  readonly progress: ProgressLine;
  readonly answers: readonly JsonObject[];
  readonly mayAsk: boolean;
}

export function createAsker({ io, progress, answers, mayAsk }: AskerOptions): Asker {
  const given = [...answers];
  const present = mayAsk && isInteractive(io);
  let last: Promise<unknown> = Promise.resolve();

  /** One question after the other: there is one terminal. */
  function inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const turn = last.then(() => {
      progress.clear();
      return ask();
    });
    last = turn.catch(() => undefined);
    return turn;
  }

  function nobody(message: string): { readonly action: 'cancel' } {
    progress.clear();
    io.messages.write(`The server asks, and nobody is here to answer:\n${plain(message)}\n`);
    return { action: 'cancel' };
  }

  return {
    answer: {
      form(params, { signal }) {
        const next = given.shift();
        if (next) return { action: 'accept', content: checkAnswers(params.requestedSchema, next) };
        return present ? inTurn(() => askForm(params, { io, signal })) : nobody(params.message);
      },
      url(params, { signal }) {
        return present
          ? inTurn(() => askUrl(params, { io, signal }))
          : nobody(`${params.message}\n${params.url}`);
      },
    },
    stop: async (signal) => (present ? await inTurn(() => askStop({ io, signal })) : 'detach'),
  };
}

/** Leaves a question open for whoever resumes the task. */
export function unanswered({ signal }: { readonly signal: AbortSignal }): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('Nobody answered')), { once: true });
  });
}
