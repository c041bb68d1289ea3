/** What a client declares so that a server may ask it, for servers, clients and `validate`: BASE-CAP-1, BASE-CAP-2. */
import { DIALECT_VERSIONS, METHODS } from '../protocol.js';

/** When a question needs a capability: each one of the method, or those with such a param. */
interface AskRule {
  readonly method: string;
  readonly params?: readonly string[];
  readonly isNeededFor?: (value: unknown) => boolean;
  /** The first revision that has it. Default: the first one that has the method. */
  readonly since?: string;
  /** Whether the specification only advises it. Servers of this package follow the advice. */
  readonly isAdvice?: true;
}

const { elicitationCreate: ELICIT, samplingCreateMessage: SAMPLE } = METHODS;

/** The first revision in which capabilities have parts. Before, the whole capability allows all that the revision has. */
export const PARTS_SINCE = DIALECT_VERSIONS.core;

/** What a server may ask a client, by the capability that allows it. */
export type Ask =
  | 'elicitation.form'
  | 'elicitation.url'
  | 'sampling'
  | 'sampling.context'
  | 'sampling.tools'
  | 'roots';

export const ASKS: Readonly<Record<Ask, AskRule>> = {
  'elicitation.form': { method: ELICIT, params: ['mode'], isNeededFor: (mode) => mode !== 'url' },
  'elicitation.url': {
    ...{ method: ELICIT, params: ['mode'], since: PARTS_SINCE },
    isNeededFor: (mode) => mode === 'url',
  },
  sampling: { method: SAMPLE },
  'sampling.tools': {
    ...{ method: SAMPLE, params: ['tools', 'toolChoice'], since: PARTS_SINCE },
    isNeededFor: (value) => value !== undefined,
  },
  'sampling.context': {
    ...{ method: SAMPLE, params: ['includeContext'], since: PARTS_SINCE, isAdvice: true },
    isNeededFor: (value) => value !== undefined && value !== 'none',
  },
  roots: { method: METHODS.rootsList },
};

const RULES = /* @__PURE__ */ Object.entries(ASKS) as readonly (readonly [Ask, AskRule])[];

/** A capability that a question needs, and the param for which it needs it: absent where each question does. */
export interface Need {
  readonly ask: Ask;
  readonly param?: string;
  readonly isAdvice?: true;
}

/** What a question needs; nothing for other methods. `paramOf` gets the values of params. */
export function needsOf(method: string, paramOf: (name: string) => unknown): readonly Need[] {
  return RULES.flatMap(([ask, { params, isNeededFor, isAdvice, ...rule }]): readonly Need[] => {
    if (rule.method !== method) return [];
    const names = params?.filter((name) => isNeededFor?.(paramOf(name)));
    return names?.map((param) => ({ ask, param, ...(isAdvice && { isAdvice }) })) ?? [{ ask }];
  });
}

/** Whether the messages of a revision can ask it. */
export function hasAsk(
  { version, requests }: { readonly version: string; readonly requests: object },
  ask: Ask,
): boolean {
  const { method, since = '' } = ASKS[ask];
  return method in requests && version >= since;
}

/** What a client with these capabilities can be asked. They come from the wire: anything may be in them. */
export function asksOf(capabilities: unknown): readonly Ask[] {
  const has = (path: string): boolean => isObject(path.split('.').reduce(memberOf, capabilities));
  // An empty object is the older way of saying forms.
  const isPlain = has('elicitation') && !has('elicitation.url');
  return RULES.flatMap(([ask]) => (has(ask) || (isPlain && ask === 'elicitation.form') ? ask : []));
}

function memberOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a server asks a client with requests of this method. */
export function asksClient(method: string): boolean {
  return RULES.some(([, rule]) => rule.method === method);
}
