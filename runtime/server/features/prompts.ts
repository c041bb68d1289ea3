import { METHODS } from '../../protocol.js';
import type { JsonObject } from '../../tasks/index.js';
import { beginningOf } from '../../peer/wire/json.js';
import { INVALID_PARAMS, rpcError } from '../errors.js';
import type { ServerRows } from '../session.js';
import type { Feature, FeatureParts, ServerPrompt } from '../offered.js';
import { askingRequest } from '../request-context.js';
import { createPages } from './pages.js';

export const PROMPTS: Feature = {
  capabilities: ({ prompts }) => promptCapabilities(prompts),
  rows: promptRows,
};

/** `prompts/list` and `prompts/get`. */
function promptRows(parts: FeatureParts): ServerRows {
  const { prompts, pageSize } = parts;
  if (prompts.length === 0) return {};
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

export function promptIn(byName: ReadonlyMap<unknown, ServerPrompt>, name: unknown): ServerPrompt {
  const prompt = byName.get(name);
  if (prompt !== undefined) return prompt;
  throw rpcError(INVALID_PARAMS, `Unknown prompt ${JSON.stringify(beginningOf(String(name)))}`);
}

function promptCapabilities(prompts: readonly ServerPrompt[]): JsonObject {
  return prompts.length > 0 ? { prompts: { listChanged: true } } : {};
}
