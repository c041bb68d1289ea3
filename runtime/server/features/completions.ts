import { METHODS } from '../../protocol.js';
import type { JsonObject } from '../../tasks/index.js';
import { at, beginningOf, isObject } from '../../peer/wire/json.js';
import type { Completer, Completions } from '../definitions/index.js';
import { INVALID_PARAMS, rpcError } from '../errors.js';
import type { ServerRows } from '../session.js';
import type { Feature, FeatureParts, Offered, ResourceTemplate } from '../offered.js';
import { handlerRequest } from '../request-context.js';
import { promptIn } from './prompts.js';

/** Suggestions in one answer, by the specification. */
const MOST = 100;

export const COMPLETIONS: Feature = {
  capabilities: completionCapabilities,
  rows: completionRows,
};

/** `completion/complete`. */
function completionRows(parts: FeatureParts): ServerRows {
  if (!completes(parts)) return {};
  const prompts = new Map(parts.prompts.map((prompt) => [prompt.name, prompt]));
  const templates = new Map(templatesIn(parts).map((template) => [template.uriTemplate, template]));

  /** The names that can be completed, how, and what handlers call the values that are settled. */
  function target(ref: JsonObject) {
    if (ref['type'] === 'ref/prompt') {
      const { argumentNames, completers } = promptIn(prompts, ref['name']);
      return { names: argumentNames, completers, settled: 'args' };
    }
    const uri = String(ref['uri']);
    const template = templates.get(uri);
    if (template === undefined) {
      throw rpcError(
        INVALID_PARAMS,
        `Unknown resource template ${JSON.stringify(beginningOf(uri))}`,
      );
    }
    return {
      names: template.template.names,
      completers: template.completers,
      settled: 'variables',
    };
  }

  return {
    [METHODS.completionComplete]: {
      async answer(params, exchange) {
        const { names, completers, settled } = target(params['ref'] as JsonObject);
        const { name, value } = params['argument'] as { name: string; value: string };
        if (!names.includes(name)) {
          throw rpcError(INVALID_PARAMS, `Unknown argument ${JSON.stringify(beginningOf(name))}`);
        }
        const completer: Completer<JsonObject> = completers.get(name) ?? (() => []);
        const given = at(params, ['context', 'arguments']) ?? {};
        const context = { ...handlerRequest(parts, exchange), [settled]: given };
        return { completion: shortened(await completer(value, context)) };
      },
    },
  };
}

function completionCapabilities(parts: Offered): JsonObject {
  return completes(parts) ? { completions: {} } : {};
}

function completes(parts: Offered): boolean {
  return [...parts.prompts, ...templatesIn(parts)].some(({ completers }) => completers.size > 0);
}

function templatesIn({ resources }: Offered): ResourceTemplate[] {
  return resources.filter((each) => each.kind === 'template');
}

function shortened(completions: Completions): JsonObject {
  const { values, total, hasMore }: Exclude<Completions, readonly string[]> = isObject(completions)
    ? completions
    : { values: completions, total: completions.length };
  const first = values.slice(0, MOST);
  const all = total ?? (values.length > first.length ? values.length : undefined);
  return {
    values: first,
    ...(all !== undefined && { total: all }),
    hasMore: hasMore === true || (all ?? 0) > first.length,
  };
}
