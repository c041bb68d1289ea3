import type { ProtocolError } from '../peer/index.js';
import { METHODS } from '../protocol.js';
import { type Ask, needsOf } from '../rules/questions.js';
import type { Dialect, InputOptions, JsonObject } from '../tasks/index.js';
import { mediaFault, dialectRevision } from '../peer/wire/revision.js';
import { INTERNAL_ERROR, INVALID_REQUEST, missingCapability, rpcError } from './errors.js';
import { toolUseProblem } from '../peer/wire/sampling-messages.js';

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
  const all = [...new Set(needsOf(method, (name) => params[name]).map(({ ask }) => ask))];
  if (all.length === 0) throw new TypeError(`A client cannot be asked ${method}`);
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
