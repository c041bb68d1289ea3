import { METHODS } from '../../protocol.js';
import { beginningOf } from '../../peer/wire/json.js';
import { INVALID_PARAMS, rpcError } from '../errors.js';
import type { FeatureRows } from '../session.js';
import type { Feature, Endpoint, ServerPrompt } from '../endpoint.js';
import { askingRequest } from '../endpoint.js';
import { createPages } from './pages.js';

export const PROMPTS: Feature<'prompts'> = {
  capabilities: { prompts: { listChanged: true } },
  rows: promptRows,
};

/** `prompts/list` and `prompts/get`. */
function promptRows(endpoint: Endpoint): FeatureRows<'prompts'> {
  const { prompts, pageSize } = endpoint;
  const byName = new Map(prompts.map((prompt) => [prompt.name, prompt]));
  const pages = createPages(
    prompts.map(({ listing }) => listing),
    pageSize,
  );
  return {
    [METHODS.promptsList]: { answer: ({ cursor }) => pages.answer('prompts', cursor) },
    [METHODS.promptsGet]: {
      answer(params, exchange) {
        const { name, arguments: args } = params;
        const prompt = promptIn(byName, name);
        return endpoint.questions(exchange, params, [exchange.method, name, args], (ask) =>
          prompt.get(askingRequest(endpoint, exchange, ask, { args })),
        );
      },
    },
  };
}

export function promptIn(byName: ReadonlyMap<string, ServerPrompt>, name: string): ServerPrompt {
  const prompt = byName.get(name);
  if (prompt !== undefined) return prompt;
  throw rpcError(INVALID_PARAMS, `Unknown prompt ${JSON.stringify(beginningOf(name))}`);
}
