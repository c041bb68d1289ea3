import { matchesBase64 } from '../../../generated/support/byte.js';
import { METHODS } from '../../protocol.js';
import type { Fault } from '../../transport/reading/envelope.js';
import { isObject, member } from './json.js';

/** The members of results, messages and blocks that hold blocks of content, or contents of resources. */
const HOLDERS = ['content', 'messages', 'contents', 'resource'] as const;

/** Methods whose results have such blocks. What others call `content` is something else. */
const METHODS_WITH_MEDIA: ReadonlySet<string> = new Set([
  METHODS.toolsCall,
  METHODS.promptsGet,
  METHODS.resourcesRead,
  METHODS.samplingCreateMessage,
]);

/**
 * The first image, audio or blob whose data is not base64, in a method's result or params. The schemas say so with a
 * `format`, which is not checked on the wire. Clients refuse the whole message for it.
 */
export function mediaFault(method: string, holder: unknown): Fault | undefined {
  const pointer = METHODS_WITH_MEDIA.has(method) ? inHolders(holder, '') : undefined;
  if (pointer === undefined) return undefined;
  const expected = 'base64 text';
  const message = `${pointer} must be ${expected}: Buffer.from(bytes).toString('base64').`;
  return { pointer, expected, message };
}

function inHolders(value: unknown, pointer: string): string | undefined {
  for (const name of HOLDERS) {
    const held = member(value, name);
    const found = typeof held === 'object' ? inBlocks(held, `${pointer}/${name}`) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function inBlocks(held: unknown, pointer: string): string | undefined {
  if (!Array.isArray(held)) return inBlock(held, pointer);
  for (const [index, block] of held.entries()) {
    const found = inBlock(block, `${pointer}/${index}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inBlock(block: unknown, pointer: string): string | undefined {
  if (!isObject(block) || block['type'] === 'text') return undefined;
  const name = block['type'] === 'image' || block['type'] === 'audio' ? 'data' : 'blob';
  const data = block[name];
  if (typeof data === 'string' && !matchesBase64(data)) return `${pointer}/${name}`;
  return inHolders(block, pointer);
}
