/**
 * The capabilities that a client declares. The client answers the input requests that they allow, and
 * refuses the others.
 */

import type { ClientCapabilities as CoreCapabilities } from '../../generated/2025-11-25/types.js';
import type { ClientCapabilities as ExtCapabilities } from '../../generated/2026-07-28/types.js';
import { EXTENSION_ID, METHODS } from '../protocol.js';
import { TASKS_EXTENSION } from '../rules/messages.js';
import { type Ask, asksOf, needsOf } from '../rules/questions.js';
import type { Dialect, JsonObject } from '../tasks/index.js';
import { at, member } from '../peer/wire/json.js';
import { toolUseProblem } from '../peer/wire/sampling-messages.js';
import type { Asked, InputHandlers, InputHandler } from './types.js';

/**
 * The capabilities of a client in both dialects. The client sends `tasks` to servers of revision
 * 2025-11-25 only, and the tasks extension to servers of revision 2026-07-28 only.
 */
export type DeclaredCapabilities = CoreCapabilities & Pick<ExtCapabilities, 'extensions'>;

type InputHandlerName = keyof InputHandlers;

/** The handlers that serve each capability, by its path. At least one has to be set. */
const NEEDED: readonly (readonly [path: string, handlers: readonly InputHandlerName[]])[] = [
  ['elicitation.form', ['form']],
  ['elicitation.url', ['url']],
  ['sampling', ['sampling']],
  ['roots', ['roots']],
  ['tasks.requests.elicitation.create', ['form', 'url']],
  ['tasks.requests.sampling.createMessage', ['sampling']],
];

export function declaresExtension({ extensions }: DeclaredCapabilities): boolean {
  return extensions?.[EXTENSION_ID] !== undefined;
}

/** The default capabilities: one for each handler that is set. */
export function capabilitiesFor(
  { form, url, sampling, roots }: InputHandlers,
  isReceiver: boolean,
): DeclaredCapabilities {
  const requests = {
    ...(sampling && { sampling: { createMessage: {} } }),
    ...((form ?? url) && { elicitation: { create: {} } }),
  };
  return {
    ...TASKS_EXTENSION,
    ...((form ?? url) && { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } }),
    ...(sampling && { sampling: {} }),
    ...(roots && { roots: {} }),
    ...(isReceiver && { tasks: { list: {}, cancel: {}, requests } }),
  };
}

/**
 * The handlers of the declared capabilities.
 *
 * Throws a TypeError that names the first capability without a handler.
 */
export function declaredHandlers(
  capabilities: DeclaredCapabilities,
  handlers: InputHandlers,
): InputHandlers {
  const asks: readonly string[] = asksOf(capabilities);
  for (const [path, names] of NEEDED) {
    const isDeclared = asks.includes(path) || at(capabilities, path.split('.')) !== undefined;
    if (isDeclared) assertHandled(path, names, handlers);
  }
  const { form, url, sampling, roots } = handlers;
  return {
    ...(form && asks.includes('elicitation.form') && { form }),
    ...(url && asks.includes('elicitation.url') && { url }),
    ...(sampling && asks.includes('sampling') && { sampling }),
    ...(roots && asks.includes('roots') && { roots }),
  };
}

/** What a server of the dialect gets to see. */
export function capabilitiesIn(dialect: Dialect, declared: DeclaredCapabilities): JsonObject {
  const { tasks, extensions, ...rest } = declared;
  if (dialect === 'ext') return { ...rest, ...(extensions && { extensions }) };
  const { [EXTENSION_ID]: _, ...others } = extensions ?? {};
  return {
    ...rest,
    ...(tasks && { tasks }),
    ...(Object.keys(others).length > 0 && { extensions: others }),
  };
}

function assertHandled(
  path: string,
  names: readonly InputHandlerName[],
  handlers: InputHandlers,
): void {
  if (names.some((name) => handlers[name] !== undefined)) return;
  const options = names.map((name) => `answer.${name}`).join(' or ');
  throw new TypeError(`The client declares ${path}: pass ${options}, or do not declare it`);
}

/** Passes on the input requests that the capabilities allow. Throws for the others. */
export function onlyDeclared(
  capabilities: DeclaredCapabilities,
  answer: InputHandler,
): InputHandler {
  return (request) => {
    const [ask] = undeclared(capabilities, request);
    if (ask === undefined) return answer(request);
    throw new Error(`The client did not declare ${ask}`);
  };
}

/** Why a model may not be asked: it may use the tools of a server only where the client declares that. */
export function samplingProblem(
  capabilities: DeclaredCapabilities,
  params: Asked<typeof METHODS.samplingCreateMessage>['params'],
): string | undefined {
  const missing = undeclared(capabilities, { method: METHODS.samplingCreateMessage, params });
  if (!missing.includes('sampling.tools')) return toolUseProblem(params);
  return 'The client did not declare sampling.tools';
}

/** What the specification demands for a question, and the client does not declare. */
function undeclared(
  capabilities: DeclaredCapabilities,
  { method, params }: { readonly method: string; readonly params: object },
): readonly Ask[] {
  const asks = asksOf(capabilities);
  return needsOf(method, (name) => member(params, name)).flatMap(({ ask, isAdvice }) =>
    isAdvice === true || asks.includes(ask) ? [] : [ask],
  );
}
