import { METHODS } from '../../protocol/index.js';
import type { JsonObject } from '../../tasks/index.js';
import { INVALID_PARAMS, rpcError } from '../errors.js';
import type { ServerRows } from '../origin.js';
import type { ServerPrompt } from '../prompt.js';
import { degradedMessages } from './degrade.js';
import { type HandlerParts, handlerRequest, questionsThrough } from './handling.js';
import { createPages } from './pages.js';

export interface PromptParts extends HandlerParts {
  readonly prompts: readonly ServerPrompt[];
  readonly pageSize?: number | undefined;
}

/** `prompts/list` and `prompts/get`. */
export function promptRows(parts: PromptParts): ServerRows {
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
      async answer(params, exchange) {
        const { name, arguments: args } = params;
        const prompt = promptIn(byName, name);
        const answer = await parts.questions(
          exchange,
          params,
          [exchange.method, name, args],
          (ask) =>
            prompt.get({ ...handlerRequest(parts, exchange), ...questionsThrough(ask), args }),
        );
        return degradedMessages(exchange.revision, answer);
      },
    },
  };
}

export function promptIn(byName: ReadonlyMap<unknown, ServerPrompt>, name: unknown): ServerPrompt {
  const prompt = byName.get(name);
  if (prompt !== undefined) return prompt;
  throw rpcError(INVALID_PARAMS, `Unknown prompt ${JSON.stringify(name)}`);
}

export function promptCapabilities(prompts: readonly ServerPrompt[]): JsonObject {
  return prompts.length > 0 ? { prompts: { listChanged: true } } : {};
}
