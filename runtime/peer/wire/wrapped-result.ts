import { isObject } from './json.js';

/**
 * Results of tools that are no objects, in sessions: up to 2025-11-25 `structuredContent` has to be an object. The server puts
 * the value below {@link WRAPPED_KEY} and marks the result, so that a client takes nothing else for a wrapped value.
 */

/** The key that FastMCP and the official SDK for Python use too. */
export const WRAPPED_KEY = 'result';

/** In `_meta` of a result whose structured content is wrapped. */
export const WRAPPED_META_KEY = 'mcp-codegen/wrapped-result';

type Result = Readonly<Record<string, unknown>>;

export function wrappedResult(result: Result): Result {
  const { structuredContent, _meta: meta } = result;
  return {
    ...result,
    structuredContent: { [WRAPPED_KEY]: structuredContent },
    _meta: { ...(isObject(meta) && meta), [WRAPPED_META_KEY]: true },
  };
}

/** The result as the tool returned it. Another result, or one with a wrong mark, stays as it is. */
export function unwrappedResult<T extends Result>(result: T): T {
  const { structuredContent: wrapped, _meta: meta } = result;
  if (!isObject(meta) || meta[WRAPPED_META_KEY] !== true) return result;
  if (!isObject(wrapped) || !Object.hasOwn(wrapped, WRAPPED_KEY)) return result;
  if (Object.keys(wrapped).length !== 1) return result;
  const { [WRAPPED_META_KEY]: _, ...others } = meta;
  const { _meta: __, ...rest } = result;
  return {
    ...rest,
    structuredContent: wrapped[WRAPPED_KEY],
    ...(Object.keys(others).length > 0 && { _meta: others }),
  } as unknown as T;
}
