import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { text } from '@clack/prompts';
import type { InputHandlers, InputRequest } from '../../runtime/client/index.js';
import { askForm } from './form-prompt.js';
import { answerHelp, checkAnswers } from './form.js';
import type { ClientIo } from './io.js';
import type { ProgressLine } from './progress.js';
import {
  askStop,
  type Prompting,
  answered,
  choose,
  indented,
  untilAnswered,
  PromptLeft,
} from './prompts.js';
import type { Settings } from './settings.js';
import { plain, line } from './text.js';
import type {
  ListRootsResult,
  CreateMessageRequestParams,
  CreateMessageResult,
  SamplingMessage,
  ElicitRequestURLParams,
  ElicitResult,
} from '../../generated/2025-11-25/index.js';
import { kept } from './paste.js';
import { openInBrowser } from './browser.js';

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

/** Answers `roots/list`: the folders of `--root`, as absolute paths. */
function listRoots(folders: readonly string[]): ListRootsResult {
  return {
    roots: folders.map((folder) => ({ uri: pathToFileURL(folder).href, name: basename(folder) })),
  };
}

/**
 * Answers `sampling/createMessage`: the user reads the messages and writes the reply. To let a language
 * model reply, call it here, and show the user what is sent to it.
 */
export async function createMessage(
  { systemPrompt, messages }: CreateMessageRequestParams,
  prompting: Prompting,
): Promise<CreateMessageResult> {
  const shown = [
    ...(systemPrompt === undefined ? [] : [`system: ${systemPrompt}`]),
    ...messages.map(messageText),
  ];
  prompting.io.err.write(`\nThe server asks for a reply:\n${indented(shown.join('\n'))}\n`);
  const ask = async (): Promise<CreateMessageResult> => {
    const wanted = await choose(
      'Reply?',
      [
        { value: 'reply', label: 'Reply' },
        { value: 'decline', label: 'Decline' },
      ],
      prompting,
    );
    if (wanted === 'decline') return declined();
    const reply = await answered(
      prompting,
      (streams) => text({ message: 'Your reply', ...streams }),
      kept,
    );
    return { model: 'user', role: 'assistant', content: { type: 'text', text: reply } };
  };
  return await untilAnswered(ask, declined, prompting);
}

/** The code of the specification for a request that the user rejects. */
const REJECTED = -1;

function declined(): never {
  throw Object.assign(new Error('The user declined the sampling request'), { code: REJECTED });
}

function messageText({ role, content }: SamplingMessage): string {
  const blocks = Array.isArray(content) ? content : [content];
  const texts = blocks.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`));
  return `${role}: ${texts.join(' ')}`;
}

/** What a server requires before it answers a request. */
interface MoreScopes {
  /** The origin of the server. */
  readonly server: string;
  /** Those that the login would have. */
  readonly scopes: readonly string[];
}

/** Asks whether a browser may open for a login with more scopes: a server could ask for that at any time. */
async function askStepUp({ server, scopes }: MoreScopes, prompting: Prompting): Promise<boolean> {
  const list = line(scopes.join(', '), 500);
  prompting.io.err.write(`\n${line(server)} requires a login with the scopes ${list}.\n`);
  try {
    return await choose(
      'Log in again?',
      [
        { value: true, label: 'Open the login page in the browser' },
        { value: false, label: 'Do not log in: the request fails' },
      ],
      prompting,
    );
  } catch (error) {
    if (error instanceof PromptLeft) return false;
    throw error;
  }
}

/** Shows an address in full, and opens it only when the user agrees. */
export async function askUrl(
  { message, url }: ElicitRequestURLParams,
  prompting: Prompting,
): Promise<ElicitResult> {
  const { err } = prompting.io;
  err.write(`\nThe server asks you to visit an address:\n${indented(message)}\n`);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') {
    err.write(`It is no web address: ${plain(url)}\n`);
    return { action: 'decline' };
  }
  // As a browser would read it: letters that look like others are spelt out.
  err.write(`\n  ${plain(parsed.href)}\n\n  This leads to ${parsed.host}.\n`);
  if (/(?:^|\.)xn--/.test(parsed.hostname)) {
    err.write('  Its name has letters that may look like those of another address.\n');
  }
  const ask = async (): Promise<ElicitResult> => {
    const wanted = await choose(
      'Open it in the browser?',
      [
        { value: 'open', label: 'Open it' },
        { value: 'self', label: 'I open it myself' },
        { value: 'decline', label: 'Decline' },
      ],
      prompting,
    );
    if (wanted === 'decline') return { action: 'decline' };
    if (wanted === 'open') openInBrowser(parsed.href);
    return { action: 'accept' };
  };
  return await untilAnswered(ask, () => ({ action: 'cancel' }), prompting);
}
