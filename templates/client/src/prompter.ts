import type { InputHandlers } from '@mcp-codegen/runtime/client';
import type { Invocation } from './arguments.js';
import { askForm } from './form-prompt.js';
import { checkAnswers } from './form.js';
import { isInteractive } from './io.js';
import type { Io } from './io.js';
import type { ProgressLine } from './progress.js';
import { askStop } from './prompts.js';
import { listRoots } from './roots.js';
import { createMessage } from './sampling.js';
import { plain } from './text.js';
import { askUrl } from './url-prompt.js';

/** Answers what servers ask: with the flags of the command line, else by prompts on the terminal. */
export interface Prompter {
  readonly answer: InputHandlers;
  /** Asks what to do with a running task; without a terminal the task is left running. */
  stop(signal: AbortSignal): Promise<'cancel' | 'detach' | 'go on'>;
}

export interface PrompterOptions {
  readonly io: Io;
  readonly progress: ProgressLine;
  readonly invocation: Invocation;
}

export function createPrompter({ io, progress, invocation }: PrompterOptions): Prompter {
  const canPrompt = invocation.mayAsk && isInteractive(io);
  // @when elicitation-form
  const forms = [...invocation.answers];
  let last: Promise<unknown> = Promise.resolve();

  /** One prompt after the other: there is one terminal. */
  function inTurn<T>(prompt: () => Promise<T>): Promise<T> {
    const turn = last.then(() => {
      progress.clear();
      return prompt();
    });
    last = turn.catch(() => undefined);
    return turn;
  }

  /**
   * The answer when no user can be asked: neither yes nor no.
   *
   * @when elicitation
   */
  function cancel(message: string): { readonly action: 'cancel' } {
    progress.clear();
    io.messages.write(`The server asks, and there is no terminal to ask you:\n${plain(message)}\n`);
    return { action: 'cancel' };
  }

  return {
    answer: {
      // @when elicitation-form
      form(params, { signal }) {
        const next = forms.shift();
        if (next) return { action: 'accept', content: checkAnswers(params.requestedSchema, next) };
        return canPrompt ? inTurn(() => askForm(params, { io, signal })) : cancel(params.message);
      },
      // @when elicitation-url
      url(params, { signal }) {
        return canPrompt
          ? inTurn(() => askUrl(params, { io, signal }))
          : cancel(`${params.message}\n${params.url}`);
      },
      // @when sampling
      sampling(params, { signal }) {
        if (canPrompt) return inTurn(() => createMessage(params, { io, signal }));
        throw new Error('The server asks for a reply, and there is no terminal to ask you');
      },
      // @when roots
      roots: () => listRoots(),
    },
    stop: async (signal) => (canPrompt ? await inTurn(() => askStop({ io, signal })) : 'detach'),
  };
}

/** Leaves a question open for the client that resumes the task. */
export function unanswered({ signal }: { readonly signal: AbortSignal }): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The question was not answered')), {
      once: true,
    });
  });
}
