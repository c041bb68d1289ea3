/**
 * What a client declares to servers, and what follows from it: servers may ask only for what is declared,
 * and only what is declared is answered.
 */

import type { ClientCapabilities as CoreCapabilities } from '../../generated/2025-11-25/types.js';
import type { ClientCapabilities as ExtCapabilities } from '../../generated/2026-07-28/types.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import { at } from '../wire/json.js';
import type { Answerers, AnswerQuestion, Question } from './types.js';

/**
 * The capabilities of a client in both dialects. `tasks` goes to servers of revision 2025-11-25 only, the
 * tasks extension to servers of revision 2026-07-28 only.
 */
export type DeclaredCapabilities = CoreCapabilities & Pick<ExtCapabilities, 'extensions'>;

type AnswererName = keyof Answerers;

/** The answerer that each capability needs, by its path. */
const NEEDED: readonly (readonly [path: string, answerers: readonly AnswererName[]])[] = [
  ['elicitation.url', ['url']],
  ['sampling', ['sampling']],
  ['roots', ['roots']],
  ['tasks.requests.elicitation.create', ['form', 'url']],
  ['tasks.requests.sampling.createMessage', ['sampling']],
];

/** Whether a capability is declared, by its path: `elicitation.form`. */
function declares(capabilities: DeclaredCapabilities, path: string): boolean {
  return at(capabilities, path.split('.')) !== undefined;
}

/** An elicitation capability without modes means forms. */
function declaresForms(capabilities: DeclaredCapabilities): boolean {
  const { elicitation } = capabilities;
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

export function declaresExtension({ extensions }: DeclaredCapabilities): boolean {
  return extensions?.[EXTENSION_ID] !== undefined;
}

/** What a client declares that lists nothing itself: all that it can answer. */
export function capabilitiesFor(
  { form, url, sampling, roots }: Answerers,
  isReceiver: boolean,
): DeclaredCapabilities {
  const requests = {
    ...(sampling && { sampling: { createMessage: {} } }),
    ...((form ?? url) && { elicitation: { create: {} } }),
  };
  return {
    extensions: { [EXTENSION_ID]: {} },
    ...((form ?? url) && { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } }),
    ...(sampling && { sampling: {} }),
    ...(roots && { roots: {} }),
    ...(isReceiver && { tasks: { list: {}, cancel: {}, requests } }),
  };
}

/**
 * The answerers of what is declared.
 *
 * Throws a TypeError that names the first capability without an answerer.
 */
export function declaredAnswerers(
  capabilities: DeclaredCapabilities,
  answerers: Answerers,
): Answerers {
  if (declaresForms(capabilities)) assertAnswered('elicitation.form', ['form'], answerers);
  for (const [path, names] of NEEDED) {
    if (declares(capabilities, path)) assertAnswered(path, names, answerers);
  }
  const { form, url, sampling, roots } = answerers;
  return {
    ...(form && declaresForms(capabilities) && { form }),
    ...(url && declares(capabilities, 'elicitation.url') && { url }),
    ...(sampling && declares(capabilities, 'sampling') && { sampling }),
    ...(roots && declares(capabilities, 'roots') && { roots }),
  };
}

function assertAnswered(path: string, names: readonly AnswererName[], answerers: Answerers): void {
  if (names.some((name) => answerers[name] !== undefined)) return;
  const options = names.map((name) => `answer.${name}`).join(' or ');
  throw new TypeError(`The client declares ${path}: pass ${options}, or do not declare it`);
}

/** Passes on questions that the capabilities allow. Throws for the others. */
export function onlyDeclared(
  capabilities: DeclaredCapabilities,
  answer: AnswerQuestion,
): AnswerQuestion {
  return (question) => {
    if (isAllowed(capabilities, question)) return answer(question);
    throw new Error(`The client did not declare a capability for ${kindOf(question)}`);
  };
}

function isAllowed(capabilities: DeclaredCapabilities, question: Question): boolean {
  switch (question.method) {
    case 'elicitation/create':
      return isUrl(question)
        ? declares(capabilities, 'elicitation.url')
        : declaresForms(capabilities);
    case 'sampling/createMessage':
      return declares(capabilities, 'sampling');
    case 'roots/list':
      return declares(capabilities, 'roots');
  }
}

function kindOf(question: Question): string {
  if (question.method !== 'elicitation/create') return question.method;
  return `${question.method} in ${isUrl(question) ? 'url' : 'form'} mode`;
}

function isUrl({ params }: Question): boolean {
  return params['mode'] === 'url';
}
