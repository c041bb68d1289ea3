import type { InputHandlers, InputRequest } from '../../runtime/client/index.js';
import { askForm } from './form-prompt.js';
import { answerHelp, checkAnswers } from './form.js';
import type { ClientIo } from './io.js';
import type { ProgressLine } from './progress.js';
import { askStop } from './prompts.js';
import type { Prompting } from './prompts.js';
import { listRoots } from './roots.js';
import { createMessage } from './sampling.js';
import type { Settings } from './settings.js';
import { plain } from './text.js';
import { askStepUp } from './step-up-prompt.js';
import type { MoreScopes } from './step-up-prompt.js';
import { askUrl } from './url-prompt.js';

/** Answers what servers ask: with the flags of the command line, else by prompts on the terminal. */
export interface Prompter {
  readonly answer: InputHandlers;
  /** Asks what to do with a running task; without a terminal the task is left running. */
  stop(signal: AbortSignal): Promise<'cancel' | 'detach' | 'go on'>;
  /** Asks whether the user logs in again for more scopes. Undefined where no user can be asked. */
  readonly stepUp: ((needed: MoreScopes, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Calls back when the user leaves a task running at one of its questions. Returns what ends that. */
  onLeave(listener: () => void): () => void;
}

export interface PrompterOptions {
  readonly io: ClientIo;
  readonly progress: ProgressLine;
  readonly settings: Settings;
}

export function createPrompter({ io, progress, settings }: PrompterOptions): Prompter {
  const canPrompt = settings.mayAsk && io.terminal !== undefined;
  const leaving = new Set<() => void>();
  const prompting = ({ signal, taskId }: InputRequest): Prompting => ({
    io,
    signal,
    ...(taskId !== undefined && {
      leave: () => {
        for (const listener of leaving) listener();
      },
    }),
  });
  const forms = [...settings.answers];
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

  /** The answer when no user can be asked: neither yes nor no. */
  function cancel(message: string, help: string): { readonly action: 'cancel' } {
    progress.clear();
    const why = settings.mayAsk
      ? 'there is no terminal to ask you'
      : '--no-input forbids to ask you';
    io.err.write(`The server asks, and ${why}:\n${plain(message)}\n${help}\n`);
    return { action: 'cancel' };
  }

  return {
    answer: {
      form(params, request) {
        const next = forms.shift();
        if (next) return { action: 'accept', content: checkAnswers(params.requestedSchema, next) };
        return canPrompt
          ? inTurn(() => askForm(params, prompting(request)))
          : cancel(params.message, answerHelp(params.requestedSchema));
      },
      url(params, request) {
        return canPrompt
          ? inTurn(() => askUrl(params, prompting(request)))
          : cancel(
              `${params.message}\n${params.url}`,
              'Only a user can open it: run the command at a terminal, without --no-input.',
            );
      },
      sampling(params, request) {
        if (canPrompt) return inTurn(() => createMessage(params, prompting(request)));
        throw new Error(
          'The server asks for a reply of a language model: run the command at a terminal, without --no-input',
        );
      },
      roots: () => listRoots(settings.roots),
    },
    stop: async (signal) => (canPrompt ? await inTurn(() => askStop({ io, signal })) : 'detach'),
    stepUp: canPrompt
      ? (needed, signal) => inTurn(() => askStepUp(needed, { io, signal }))
      : undefined,
    onLeave(listener) {
      leaving.add(listener);
      return () => leaving.delete(listener);
    },
  };
}
