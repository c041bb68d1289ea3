import { METHODS } from '../../protocol.js';
import type { JsonObject } from '../../tasks/index.js';
import { isObject } from '../../peer/wire/json.js';
import type { Revision } from '../../peer/wire/revision.js';
import { COMPLETE } from '../../rules/messages.js';
import { SAMPLES, WRONG } from '../asks.js';

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
  return { ...result, content: content.map((block) => degradedBlock(revision, block)) };
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
      isObject(message)
        ? { ...message, content: degradedBlock(revision, message['content']) }
        : message,
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

function degradedBlock(revision: Revision, block: unknown): unknown {
  const known = degradableOf(block);
  if (known === undefined || hasType(revision, known)) return block;
  const { annotations } = block as JsonObject;
  const text = known.text(block as JsonObject);
  // An invalid block is refused as it is.
  if (text === undefined) return block;
  return { type: 'text', text, ...(annotations !== undefined && { annotations }) };
}

function hasType(revision: Revision, { sample }: Degradable): boolean {
  const result = { content: [sample], ...COMPLETE };
  return revision.checkToolResult(result) === undefined;
}

function bytesIn(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : Number(base64.endsWith('='));
  return Math.floor((base64.length * 3) / 4) - padding;
}

interface Members {
  /** A valid result, or valid params of a message of the server, with the place of each name below. */
  readonly sample: JsonObject;
  /** Names by place. `*` is each item of a list. */
  readonly names: Readonly<Record<string, readonly string[]>>;
}

const IMPLEMENTATION = { name: 'name', version: '1' };
const CONTENTS = { uri: 'x:y', text: '' };
/** With all places at which blocks have members. */
const BLOCKS = [
  { type: 'text', text: '', annotations: {} },
  { type: 'resource', resource: CONTENTS },
];
const RESOURCE = { name: 'name', uri: 'x:y', uriTemplate: 'x:y', annotations: {} };
const OF_RESOURCE = ['_meta', 'icons', 'title'];
const OF_NOTES = ['lastModified'];

/** The members that some revisions with sessions do not have, by method. */
const MEMBERS: Readonly<Record<string, Members>> = {
  [METHODS.initialize]: {
    sample: { protocolVersion: '', capabilities: {}, serverInfo: IMPLEMENTATION },
    names: { capabilities: ['completions'], serverInfo: ['title'] },
  },
  [METHODS.toolsList]: {
    sample: { tools: [{ name: 'name', inputSchema: { type: 'object' } }] },
    names: { 'tools/*': ['_meta', 'annotations', 'icons', 'outputSchema', 'title'] },
  },
  [METHODS.toolsCall]: {
    sample: { content: BLOCKS },
    names: ofContents('content/*', { '': ['structuredContent'] }),
  },
  [METHODS.promptsList]: {
    sample: { prompts: [{ name: 'name', arguments: [{ name: 'name' }] }] },
    names: { 'prompts/*': OF_RESOURCE, 'prompts/*/arguments/*': ['title'] },
  },
  [METHODS.promptsGet]: {
    sample: { messages: BLOCKS.map((content) => ({ role: 'user', content })) },
    names: ofContents('messages/*/content'),
  },
  [METHODS.resourcesList]: {
    sample: { resources: [RESOURCE] },
    names: { 'resources/*': [...OF_RESOURCE, 'size'], 'resources/*/annotations': OF_NOTES },
  },
  [METHODS.resourcesTemplatesList]: {
    sample: { resourceTemplates: [RESOURCE] },
    names: { 'resourceTemplates/*': OF_RESOURCE, 'resourceTemplates/*/annotations': OF_NOTES },
  },
  [METHODS.resourcesRead]: {
    sample: { contents: [CONTENTS] },
    names: { 'contents/*': ['_meta'] },
  },
  [METHODS.notificationsProgress]: {
    sample: { progressToken: 0, progress: 0 },
    names: { '': ['message'] },
  },
  [METHODS.elicitationCreate]: {
    sample: SAMPLES[METHODS.elicitationCreate],
    names: { '': ['mode'] },
  },
  [METHODS.samplingCreateMessage]: {
    sample: {
      ...SAMPLES[METHODS.samplingCreateMessage],
      messages: [{ role: 'user', content: BLOCKS[0] }],
    },
    names: ofContents('messages/*/content', { 'messages/*': ['_meta'] }),
  },
};

/** The members of content blocks. */
function ofContents(place: string, others: Members['names'] = {}): Members['names'] {
  return {
    ...others,
    [place]: ['_meta'],
    [`${place}/annotations`]: OF_NOTES,
    [`${place}/resource`]: ['_meta'],
  };
}

type Lacking = readonly { readonly path: readonly string[]; readonly names: readonly string[] }[];

const lackingIn = new WeakMap<Revision, Map<string, Lacking>>();

/** What a revision does not have of the members of a method. */
function lacking(revision: Revision, method: string, { sample, names }: Members): Lacking {
  let known = lackingIn.get(revision);
  if (known === undefined) lackingIn.set(revision, (known = new Map<string, Lacking>()));
  let found = known.get(method);
  if (found === undefined) {
    found = Object.entries(names).map(([place, each]) => {
      const path = place === '' ? [] : place.split('/');
      const lacks = (name: string): boolean =>
        accepts(
          revision,
          method,
          changed(sample, path, (it) => ({ ...it, [name]: WRONG })),
        );
      return { path, names: each.filter(lacks) };
    });
    known.set(method, found);
  }
  return found;
}

function accepts(revision: Revision, method: string, value: JsonObject): boolean {
  const { requests, notifications } = revision;
  if (notifications[method] !== undefined) {
    return revision.check({ jsonrpc: '2.0', method, params: value }, 'server') === undefined;
  }
  const isResult = requests[method]?.senders.includes('client') === true;
  const problem = isResult
    ? revision.checkResult(method, value)
    : revision.checkQuestion(method, value);
  return problem === undefined;
}

/** A copy in which the objects at a place are changed. */
function changed<T>(
  value: T,
  [first, ...rest]: readonly string[],
  change: (value: JsonObject) => JsonObject,
): T {
  if (first === '*') {
    const items: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
    return (items?.map((each) => changed(each, rest, change)) as T | undefined) ?? value;
  }
  if (!isObject(value)) return value;
  if (first === undefined) return change(value) as T;
  const inner = value[first];
  return inner === undefined ? value : { ...value, [first]: changed(inner, rest, change) };
}

/**
 * A result of a session, or the params of a message to its client, with what the session's revision has: other members
 * are left out, and other blocks are text.
 */
export function degraded(method: string, revision: Revision, value: JsonObject): JsonObject {
  const members = Object.hasOwn(MEMBERS, method) ? MEMBERS[method] : undefined;
  let result = shown(method, revision, value);
  for (const { path, names } of members ? lacking(revision, method, members) : []) {
    if (names.length > 0) result = changed(result, path, (it) => without(it, names));
  }
  return result;
}

function without(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

function shown(method: string, revision: Revision, answer: JsonObject): JsonObject {
  if (method === METHODS.toolsCall) return degradedResult(revision, answer);
  return method === METHODS.promptsGet ? degradedMessages(revision, answer) : answer;
}
