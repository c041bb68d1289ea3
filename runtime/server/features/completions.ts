import { METHODS, type RevisionVersion } from '../../protocol.js';
import type { ParamsIn } from '../../peer/wire/messages.js';
import type { JsonObject } from '../../tasks/index.js';
import { beginningOf, isObject, member } from '../../peer/wire/json.js';
import type { Completer, Completions } from '../definitions/index.js';
import { INVALID_PARAMS, rpcError } from '../errors.js';
import type { FeatureRows } from '../session.js';
import type { Feature, Endpoint, Offered, ResourceTemplate } from '../endpoint.js';
import { handlerRequest } from '../endpoint.js';
import { promptIn } from './prompts.js';

/** Suggestions in one answer, by the specification. */
const MOST = 100;

/** Of prompts and templates that complete arguments. */
export const COMPLETIONS: Feature<'completions'> = {
  capabilities: { completions: {} },
  rows: completionRows,
};

type Reference = ParamsIn<RevisionVersion, typeof METHODS.completionComplete>['ref'];

/** `completion/complete`. */
function completionRows(endpoint: Endpoint): FeatureRows<'completions'> {
  const prompts = new Map(endpoint.prompts.map((prompt) => [prompt.name, prompt]));
  const templates = new Map(
    templatesIn(endpoint).map((template) => [template.uriTemplate, template]),
  );

  /** The names that can be completed, how, and what handlers call the values that are settled. */
  function target(ref: Reference) {
    if (ref.type === 'ref/prompt') {
      const { argumentNames, completers } = promptIn(prompts, ref.name);
      return { names: argumentNames, completers, settled: 'args' };
    }
    const { uri } = ref;
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
      async answer({ ref, argument: { name, value }, context: about }, exchange) {
        const { names, completers, settled } = target(ref);
        if (!names.includes(name)) {
          throw rpcError(INVALID_PARAMS, `Unknown argument ${JSON.stringify(beginningOf(name))}`);
        }
        const completer: Completer<JsonObject> = completers.get(name) ?? (() => []);
        const given = member(about, 'arguments') ?? {};
        const context = { ...handlerRequest(endpoint, exchange), [settled]: given };
        return { completion: shortened(await completer(value, context)) };
      },
    },
  };
}

function templatesIn({ resources }: Offered): ResourceTemplate[] {
  return resources.filter((each) => each.kind === 'template');
}

function shortened(completions: Completions) {
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
