import { METHODS } from '../protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { at, isObject } from '../peer/wire/json.js';
import { INVALID_REQUEST, rpcError } from './errors.js';
import { MOST_WATCHED } from './features/watching.js';
import type { Offered } from './endpoint.js';
import type { ServerRows } from './session.js';
import type { ServerTool } from './tool.js';

/** The scopes that a message needs, by what its author demands of callers. */
export type ScopesOf = (message: JsonObject) => readonly string[];

interface Scoped extends Offered {
  readonly tools: ReadonlyMap<string, ServerTool>;
}

const NONE: readonly string[] = [];

/** Undefined where nothing that is offered needs a scope. */
export function scopesOf(offered: Scoped): ScopesOf | undefined {
  if (scopedIn(offered).length === 0) return undefined;
  const needs = needsOf(offered);
  return ({ method, params }) => {
    const need = typeof method === 'string' && Object.hasOwn(needs, method) && needs[method];
    return need && isObject(params) ? need(params) : NONE;
  };
}

/** @throws {TypeError} where something needs scopes, and nothing tells which a caller has. */
export function assertIdentified(scoped: readonly string[]): void {
  if (scoped.length === 0) return;
  throw new TypeError(
    `${scoped.slice(0, 3).join(', ')} need scopes, but \`allowUnidentified\` identifies no caller: set \`auth\` or \`identify\``,
  );
}

/** What needs scopes, as errors name it. */
export function scopedIn({ tools, prompts, resources }: Scoped): string[] {
  const scoped = [...tools.values(), ...prompts, ...resources].filter(
    ({ scopes }) => scopes.length > 0,
  );
  return scoped.map(({ name }) => JSON.stringify(name));
}

/** Those of `needed` that a caller does not have. */
export function missingScopes(
  needed: readonly string[],
  who: { readonly scopes: readonly string[] },
): readonly string[] {
  return needed.filter((scope) => !who.scopes.includes(scope));
}

/**
 * The rows, which refuse callers without the scopes. HTTP answers them with 403 before; this is for transports that
 * have no such answer. Over a pipe there is one user, who has started the server.
 */
export function guarded(rows: ServerRows, offered: Scoped): ServerRows {
  const needed = scopesOf(offered);
  if (needed === undefined) return rows;
  const guardedRows = Object.entries(rows).map(([method, row]) => {
    if (row === undefined) return [method, row] as const;
    const answer: typeof row.answer = (params, exchange) => {
      const { who } = exchange.origin;
      const missing = who === undefined ? NONE : missingScopes(needed({ method, params }), who);
      if (missing.length > 0) {
        const scopes = missing.join(' ');
        throw rpcError(INVALID_REQUEST, `The caller lacks scopes: ${scopes}`, { scopes: missing });
      }
      return row.answer(params, exchange);
    };
    return [method, { ...row, answer }] as const;
  });
  return Object.fromEntries(guardedRows);
}

function needsOf({
  tools,
  prompts,
  resources,
}: Scoped): Readonly<Record<string, (params: JsonObject) => readonly string[]>> {
  const promptsByName = new Map(prompts.map((prompt) => [prompt.name, prompt]));
  const fixed = new Map(
    resources.flatMap((each) => (each.kind === 'resource' ? [[each.uri, each] as const] : [])),
  );
  const templates = resources.filter((each) => each.kind === 'template');
  const ofTool = ({ name }: JsonObject): readonly string[] =>
    tools.get(name as string)?.scopes ?? NONE;
  const ofPrompt = ({ name }: JsonObject): readonly string[] =>
    promptsByName.get(name as string)?.scopes ?? NONE;

  /** As `resources/read` finds it: a resource comes before the templates, and these in their order. */
  function ofUri(uri: unknown): readonly string[] {
    if (typeof uri !== 'string') return NONE;
    const found =
      fixed.get(uri) ?? templates.find(({ template }) => template.match(uri) !== undefined);
    return found?.scopes ?? NONE;
  }

  function ofReference({ ref }: JsonObject): readonly string[] {
    if (!isObject(ref)) return NONE;
    const { type, uri } = ref;
    if (type === 'ref/prompt') return ofPrompt(ref);
    const template = templates.find(({ uriTemplate }) => uriTemplate === uri);
    return template?.scopes ?? NONE;
  }

  function ofSubscriptions(params: JsonObject): readonly string[] {
    const wanted = at(params, ['notifications', 'resourceSubscriptions']);
    const uris = new Set<unknown>(Array.isArray(wanted) ? wanted : []);
    // More are refused for every caller, before anything is looked up.
    return uris.size > MOST_WATCHED ? NONE : [...new Set([...uris].flatMap(ofUri))];
  }

  return {
    [METHODS.toolsCall]: ofTool,
    [METHODS.promptsGet]: ofPrompt,
    [METHODS.resourcesRead]: ({ uri }) => ofUri(uri),
    [METHODS.resourcesSubscribe]: ({ uri }) => ofUri(uri),
    [METHODS.completionComplete]: ofReference,
    [METHODS.subscriptionsListen]: ofSubscriptions,
  };
}
