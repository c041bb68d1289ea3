import { METHODS } from '../../protocol.js';
import type { JsonObject } from '../../tasks/index.js';
import { isObject } from '../../peer/wire/json.js';
import type { Revision } from '../../peer/wire/revision.js';

interface Degradable {
  /** A valid block, by which a revision shows whether it has the type. */
  readonly sample: JsonObject;
  /** What a client can show instead; undefined for a block that is invalid. */
  readonly text: (block: JsonObject) => string | undefined;
}

/** The types of content blocks that older revisions do not have. */
const DEGRADABLE: Readonly<Record<string, Degradable>> = {
  audio: {
    sample: { type: 'audio', data: '', mimeType: 'audio/wav' },
    text({ data, mimeType }) {
      if (typeof data !== 'string' || typeof mimeType !== 'string') return undefined;
      return `[Audio: ${mimeType}, ${bytesIn(data)} bytes]`;
    },
  },
  resource_link: {
    sample: { type: 'resource_link', name: 'name', uri: 'x:y' },
    text({ name, uri }) {
      if (typeof name !== 'string' || typeof uri !== 'string') return undefined;
      return `[Resource: ${name}, ${uri}]`;
    },
  },
};

/** A tool's result, in which blocks that the revision does not have are text. */
export function degradedResult(revision: Revision, result: JsonObject): JsonObject {
  const { content } = result;
  if (!Array.isArray(content) || !content.some(isDegradable)) return result;
  return { ...result, content: content.map((block) => degraded(revision, block)) };
}

/** The result of a prompt, in whose messages blocks that the revision does not have are text. */
export function degradedMessages(revision: Revision, result: JsonObject): JsonObject {
  const { messages } = result;
  const contents = (message: unknown): boolean =>
    isObject(message) && isDegradable(message['content']);
  if (!Array.isArray(messages) || !messages.some(contents)) return result;
  return {
    ...result,
    messages: messages.map((message: unknown) =>
      isObject(message) ? { ...message, content: degraded(revision, message['content']) } : message,
    ),
  };
}

function degradableOf(block: unknown): Degradable | undefined {
  const type = isObject(block) ? block['type'] : undefined;
  return typeof type === 'string' && Object.hasOwn(DEGRADABLE, type) ? DEGRADABLE[type] : undefined;
}

function isDegradable(block: unknown): boolean {
  return degradableOf(block) !== undefined;
}

function degraded(revision: Revision, block: unknown): unknown {
  const known = degradableOf(block);
  if (known === undefined || hasType(revision, known)) return block;
  const { annotations } = block as JsonObject;
  const text = known.text(block as JsonObject);
  // An invalid block is refused as it is.
  if (text === undefined) return block;
  return { type: 'text', text, ...(annotations !== undefined && { annotations }) };
}

function hasType(revision: Revision, { sample }: Degradable): boolean {
  const result = { content: [sample], resultType: 'complete' };
  return revision.checkToolResult(result) === undefined;
}

function bytesIn(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : Number(base64.endsWith('='));
  return Math.floor((base64.length * 3) / 4) - padding;
}

/** The answer to a request of a session. */
export function degradedAnswer(method: string, revision: Revision, answer: JsonObject): JsonObject {
  if (method === METHODS.toolsCall) return degradedResult(revision, answer);
  return method === METHODS.promptsGet ? degradedMessages(revision, answer) : answer;
}
