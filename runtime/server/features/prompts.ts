import { METHODS } from '../../protocol.js';
import { beginningOf } from '../../peer/wire/json.js';
import { INVALID_PARAMS, rpcError } from '../errors.js';
import type { FeatureRows } from '../session.js';
import type { Feature, FeatureParts, ServerPrompt } from '../offered.js';
import { askingRequest } from '../controls.js';
import { createPages } from './pages.js';

export const PROMPTS: Feature<'prompts'> = {
  capabilities: { prompts: { listChanged: true } },
  rows: promptRows,
};

/** `prompts/list` and `prompts/get`. */
function promptRows(parts: FeatureParts): FeatureRows<'prompts'> {
  const { prompts, pageSize } = parts;
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
        return parts.questions(exchange, params, [exchange.method, name, args], (ask) =>
          prompt.get(askingRequest(parts, exchange, ask, { args })),
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
