import type { ProtocolError } from '../peer/index.js';
import { EXTENSION_ID, METHODS } from '../protocol.js';
import type { Dialect, InputOptions, JsonObject } from '../tasks/index.js';
import { at, isObject } from '../peer/wire/json.js';
import { mediaFault } from '../peer/wire/media.js';
import type { Revision } from '../peer/wire/revision.js';
import { dialectRevision } from '../peer/wire/revisions.js';
import { INTERNAL_ERROR, INVALID_REQUEST, missingCapability, rpcError } from './errors.js';
import { toolUseProblem } from '../peer/wire/sampling-messages.js';

/**
 * What a server may ask a client, by the capability that allows it. Kept with a task, because the
 * client that created it is not at hand any more when its tool asks.
 */
export type Ask =
  | 'elicitation.form'
  | 'elicitation.url'
  | 'sampling'
  | 'sampling.context'
  | 'sampling.tools'
  | 'roots';

/** Asks the client one question, and resolves with its answer. */
export type AskClient = (
  method: string,
  params: JsonObject,
  options?: InputOptions,
) => Promise<JsonObject>;

/** What a client can be asked, and whether it may be asked for input at all. */
export interface Asking {
  readonly asks: readonly Ask[];
  /** The server cannot identify the user, so any client could answer: the server does not ask. */
  readonly unidentified?: true;
  /** What the server declares that it asks for; everything, where there is no declaration. */
  readonly declared?: readonly Ask[];
  /** The client's, where it does not have something that the client declares. */
  readonly revision?: string;
}

/** Valid params of questions. */
export const SAMPLES = {
  [METHODS.elicitationCreate]: {
    message: '',
    requestedSchema: { type: 'object', properties: {} },
  },
  [METHODS.samplingCreateMessage]: { messages: [], maxTokens: 1 },
} satisfies Record<string, JsonObject>;

/** No member of a protocol has this value. So a revision refuses it in one that it has, and accepts it in others. */
export const WRONG = [[]];

const known = new WeakMap<Revision, ReadonlySet<Ask>>();

/** What the messages of a revision can ask. */
export function asksIn(revision: Revision): ReadonlySet<Ask> {
  let asks = known.get(revision);
  if (asks === undefined) {
    const has = (method: string): boolean => revision.requests[method] !== undefined;
    const takes = (method: keyof typeof SAMPLES, name: string): boolean =>
      has(method) &&
      revision.checkQuestion(method, { ...SAMPLES[method], [name]: WRONG }) !== undefined;
    const all: Readonly<Record<Ask, boolean>> = {
      'elicitation.form': has(METHODS.elicitationCreate),
      'elicitation.url': takes(METHODS.elicitationCreate, 'mode'),
      sampling: has(METHODS.samplingCreateMessage),
      'sampling.context': takes(METHODS.samplingCreateMessage, 'includeContext'),
      'sampling.tools': takes(METHODS.samplingCreateMessage, 'tools'),
      roots: has(METHODS.rootsList),
    };
    asks = new Set((Object.keys(all) as Ask[]).filter((ask) => all[ask]));
    known.set(revision, asks);
  }
  return asks;
}

/** What a client with these capabilities can be asked. They come from the wire: anything may be in them. */
export function asksOf(capabilities: unknown): readonly Ask[] {
  const { elicitation, sampling, roots } = isObject(capabilities) ? capabilities : {};
  const asks: Ask[] = [];
  if (isObject(elicitation)) {
    // An empty object is the older way of saying forms.
    if (isObject(elicitation['form']) || !isObject(elicitation['url'])) {
      asks.push('elicitation.form');
    }
    if (isObject(elicitation['url'])) asks.push('elicitation.url');
  }
  if (isObject(sampling)) {
    asks.push('sampling');
    for (const part of ['context', 'tools'] as const) {
      if (isObject(sampling[part])) asks.push(`sampling.${part}`);
    }
  }
  if (isObject(roots)) asks.push('roots');
  return asks;
}

/** Refuses to ask a user whom nothing identifies. */
function unidentifiedInput(): ProtocolError {
  return rpcError(
    INVALID_REQUEST,
    'Elicitation is refused: without authorization anybody could answer. Serve with `auth`, or set `allowUnidentifiedInput: true`',
  );
}

/** Refuses what the server does not declare that it asks for. */
function undeclared(ask: Ask): ProtocolError {
  return rpcError(
    INTERNAL_ERROR,
    `The server does not declare that it asks for ${ask}: add ${shapeOf(ask)} to asks in its capabilities`,
  );
}

/** How an ask is written in a declaration. */
export function shapeOf(ask: Ask): string {
  const [capability = '', part] = ask.split('.');
  return `${capability}: ${part === undefined ? '{}' : `{ ${part}: {} }`}`;
}

/**
 * Throws `-32600` where the user is not identified, `-32021` naming the capability that the client lacks
 * for this question, and `-32603` for a question that its revision forbids.
 */
export function assertAskable(
  { asks, unidentified, declared, revision }: Asking,
  dialect: Dialect,
  method: string,
  params: JsonObject,
): void {
  if (unidentified === true && method === METHODS.elicitationCreate) throw unidentifiedInput();
  const all = needed(method, params);
  const own = all.find((ask) => declared?.includes(ask) === false);
  if (own !== undefined) throw undeclared(own);
  const missing = all.filter((ask) => !asks.includes(ask));
  if (missing.length > 0) {
    const hint =
      revision === undefined ? '' : ` (revision ${revision} has only a part of what it declares)`;
    const what = `The client cannot be asked ${method}: it does not declare ${missing.join(', ')}${hint}`;
    throw missingCapability(capabilitiesOf(missing), what);
  }
  const problem =
    dialectRevision(dialect).checkQuestion(method, params) ?? mediaFault(method, params);
  const broken =
    problem?.message ??
    (method === METHODS.samplingCreateMessage ? toolUseProblem(params) : undefined);
  if (broken !== undefined) throw rpcError(INTERNAL_ERROR, `Invalid ${method}: ${broken}`);
}

/** Everything that a client has to declare to be asked for these. */
function capabilitiesOf(asks: readonly Ask[]): JsonObject {
  const capabilities: Record<string, Record<string, object>> = {};
  for (const ask of asks) {
    const [capability = ask, part] = ask.split('.');
    const parts = (capabilities[capability] ??= {});
    if (part !== undefined) parts[part] = {};
  }
  return capabilities;
}

function needed(method: string, params: JsonObject): readonly Ask[] {
  switch (method) {
    case METHODS.elicitationCreate:
      return [params['mode'] === 'url' ? 'elicitation.url' : 'elicitation.form'];
    case METHODS.samplingCreateMessage:
      return neededToSample(params);
    case METHODS.rootsList:
      return ['roots'];
    default:
      throw new TypeError(`A client cannot be asked ${method}`);
  }
}

function neededToSample({ tools, toolChoice, includeContext }: JsonObject): readonly Ask[] {
  const asks: Ask[] = ['sampling'];
  if (tools !== undefined || toolChoice !== undefined) asks.push('sampling.tools');
  if (includeContext !== undefined && includeContext !== 'none') asks.push('sampling.context');
  return asks;
}

/** Whether capabilities declare the tasks extension. Those of other requests of the client do not count. */
export function declaresTasks(capabilities: unknown): boolean {
  return isObject(at(capabilities, ['extensions', EXTENSION_ID]));
}
