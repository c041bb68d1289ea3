import { ERRATA } from '../../generator/read/errata/index.js';
import { EXCEPTIONS } from '../../generator/ir/index.js';
import { REVISIONS } from '../../generator/read/load/index.js';
import type { Revision } from '../../generator/read/load/index.js';
import { bundledSchema } from '../support/corpus/index.js';
import type { Json, JsonObject } from '../support/corpus/index.js';
import { rewrite } from './rewritings.js';

/** What `diff` has to report of a mutation, as sorted lines. */
export type Expected = readonly string[];

/** A next revision: a bundled one with a few changes and with differences that mean nothing. */
export interface Mutant {
  readonly base: Revision;
  readonly kinds: readonly string[];
  /** The ways in which it says the same as before. */
  readonly rewritings: readonly string[];
  readonly schema: JsonObject;
  /** The schema without the differences that mean nothing. */
  readonly plain: JsonObject;
  readonly expected: Expected;
  /** The definitions that were added, removed or changed. */
  readonly touched: ReadonlySet<string>;
  /** The definitions that got another name, by the old one. */
  readonly renamed: ReadonlyMap<string, string>;
}

type Random = (below: number) => number;
type Schemas = Record<string, JsonObject>;

interface Context {
  readonly base: Revision;
  readonly schemas: Schemas;
  readonly container: string;
  readonly random: Random;
  readonly touched: ReadonlySet<string>;
  readonly id: number;
}

/** What a mutation did; undefined when the schema has nothing to do it to. */
interface Made {
  readonly touches: readonly string[];
  readonly lines: readonly string[];
  readonly renames?: readonly [string, string];
}
type Mutation = (context: Context) => Made | undefined;

/** The mutant of a seed. */
export function mutantOf(seed: number): Mutant {
  const random = randomOf(seed);
  const base = REVISIONS[seed % REVISIONS.length] ?? REVISIONS[0];
  const schema = structuredClone(bundledSchema(base)) as unknown as JsonObject;
  const container = schema['$defs'] === undefined ? 'definitions' : '$defs';
  const schemas = schema[container] as Schemas;
  const touched = new Set<string>();
  const kinds: string[] = [];
  const lines: string[] = [];
  const renamed = new Map<string, string>();
  const names = Object.keys(MUTATIONS);
  for (let left = 1 + random(3), tries = 0; left > 0 && tries < 50; tries += 1) {
    const kind = names[(seed + random(names.length) * tries) % names.length] ?? '';
    const made = MUTATIONS[kind]?.({ base, schemas, container, random, touched, id: tries });
    if (!made) continue;
    left -= 1;
    kinds.push(kind);
    lines.push(...made.lines);
    for (const name of made.touches) touched.add(name);
    if (made.renames) renamed.set(...made.renames);
  }
  const written = structuredClone(schema);
  const rewritten = rewrite(written, container, touched, random);
  return {
    base,
    kinds,
    rewritings: rewritten.kinds,
    schema: disguised(written, random),
    plain: schema,
    expected: [...lines, ...rewritten.added.map((name) => `definition ${name} added`)].sort(),
    touched,
    renamed,
  };
}

const literal = (value: string): JsonObject => ({ type: 'string', const: value });
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
});

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'add an optional property': (context) => {
    const found = pick(context, objects(context));
    if (!found) return undefined;
    const name = `mutant${String(context.id)}`;
    propertiesOf(found.schema)[name] = { type: 'boolean' };
    return changed(found.name, `${name} added breaks nothing`);
  },
  'add a required property': (context) => {
    const found = pick(context, objects(context));
    if (!found) return undefined;
    const name = `mutant${String(context.id)}`;
    propertiesOf(found.schema)[name] = { type: 'string' };
    found.schema['required'] = [...requiredOf(found.schema), name];
    return changed(found.name, `${name} added breaks sender`);
  },
  'remove an optional property': (context) => {
    const found = pick(context, properties(context).filter(isOptional));
    if (!found) return undefined;
    Reflect.deleteProperty(propertiesOf(found.schema), found.key);
    return changed(found.name, `${say(found.key)} removed breaks nothing`);
  },
  'require a property': (context) => {
    const found = pick(context, properties(context).filter(isOptional));
    if (!found) return undefined;
    found.schema['required'] = [...requiredOf(found.schema), found.key];
    return changed(found.name, `${say(found.key)} now-required breaks sender`);
  },
  'no longer require a property': (context) => {
    const found = pick(
      context,
      properties(context).filter((each) => !isOptional(each)),
    );
    if (!found) return undefined;
    found.schema['required'] = requiredOf(found.schema).filter((key) => key !== found.key);
    return changed(found.name, `${say(found.key)} now-optional breaks receiver`);
  },
  'tighten a text': (context) =>
    retyped(context, isPlain('string'), (value) => ({ ...value, minLength: 1 }), 'sender'),
  'widen a text': (context) =>
    retyped(
      context,
      isPlain('string'),
      (value) => ({ ...value, type: ['number', 'string'] }),
      'receiver',
    ),
  'tighten a number': (context) =>
    retyped(context, isPlain('number'), (value) => ({ ...value, type: 'integer' }), 'sender'),
  'widen an integer': (context) =>
    retyped(context, isPlain('integer'), (value) => ({ ...value, type: 'number' }), 'receiver'),
  'add a choice': (context) => {
    const found = pick(context, properties(context).filter(isEnum));
    if (!found) return undefined;
    (found.value['enum'] as Json[]).push('mutant');
    return changed(found.name, `${say(found.key)} added breaks receiver`);
  },
  'remove a choice': (context) => {
    const found = pick(context, properties(context).filter(isEnum));
    if (!found) return undefined;
    (found.value['enum'] as Json[]).pop();
    return changed(found.name, `${say(found.key)} removed breaks sender`);
  },
  'add a definition': ({ schemas, id }) => {
    const name = `Mutant${String(id)}`;
    schemas[name] = object({ a: { type: 'string' } }, 'a');
    return { touches: [name], lines: [`definition ${name} added`] };
  },
  'remove a definition': (context) => {
    const text = JSON.stringify(context.schemas);
    const found = pick(
      context,
      free(context).filter((name) => isData(name) && !text.includes(`/${name}"`)),
    );
    if (found === undefined) return undefined;
    Reflect.deleteProperty(context.schemas, found);
    return { touches: [found], lines: [`definition ${found} removed`] };
  },
  'rename a definition': (context) => {
    // A correction is found by the name of the definition.
    const corrected = new Set(ERRATA.map(({ path }) => path[0]));
    return renamed(
      context,
      free(context).filter((name) => isData(name) && !corrected.has(name)),
    );
  },
  'add a request': (context) => addRequest(context, false),
  'add a request with a capability': (context) => addRequest(context, true),
  'add a notification': (context) => {
    const union = 'ServerNotification';
    const members = groupOf(context, union);
    if (!members) return undefined;
    const name = `Mutant${String(context.id)}Notification`;
    const method = `notifications/mutant${String(context.id)}`;
    context.schemas[name] = object(
      { jsonrpc: literal('2.0'), method: literal(method) },
      'jsonrpc',
      'method',
    );
    members.push(ref(context, name));
    return {
      touches: [union, name],
      lines: [
        `definition ${name} added`,
        `${union}:  added breaks nothing`,
        `notification ${method} of server added breaks nothing`,
      ],
    };
  },
  'remove a request': (context) =>
    removeMessage(context, ['ClientRequest', 'ServerRequest'], 'request', 'sender'),
  'remove a notification': (context) =>
    removeMessage(
      context,
      ['ClientNotification', 'ServerNotification'],
      'notification',
      'receiver',
    ),
  'remove a capability': (context) => {
    const { schemas, touched } = context;
    const found = pick(context, REMOVABLE);
    const owner = schemas['ServerCapabilities'];
    if (!found || !owner || touched.has('ServerCapabilities')) return undefined;
    const [name, methods] = found;
    const messages = Object.keys(methods);
    const isWhole = messages.every((each) => each in schemas && !touched.has(each));
    if (!isWhole || !(name in propertiesOf(owner))) return undefined;
    Reflect.deleteProperty(propertiesOf(owner), name);
    return {
      touches: ['ServerCapabilities', ...messages],
      lines: [
        `ServerCapabilities: ${name} removed breaks nothing`,
        ...Object.values(methods).map((method) => `${method} capability: server.${name} → none`),
      ],
    };
  },
  'rename a definition that a fact names': (context) => {
    const names = EXCEPTIONS.metaKeys.map(({ definition }) => definition);
    const text = JSON.stringify(context.schemas);
    return renamed(
      context,
      names.filter((name) => name in context.schemas && !text.includes(`/${name}"`)),
    );
  },
  'remove a message of an extension': (context) => {
    const { schemas } = context;
    const text = JSON.stringify(schemas);
    const found = pick(
      context,
      free(context).filter((name) => name in EXTENSION_MESSAGES && !text.includes(`/${name}"`)),
    );
    if (context.base !== 'ext-tasks' || found === undefined) return undefined;
    Reflect.deleteProperty(schemas, found);
    return {
      touches: [found],
      lines: [`definition ${found} removed`, ...(EXTENSION_MESSAGES[found] ?? [])],
    };
  },
  'add a capability': (context) => {
    const owner = context.schemas['ServerCapabilities'];
    if (!owner || context.touched.has('ServerCapabilities')) return undefined;
    const name = `mutant${String(context.id)}`;
    propertiesOf(owner)[name] = { type: 'object', properties: {} };
    return changed('ServerCapabilities', `${name} added breaks nothing`);
  },
};

/** Capabilities that messages need, with these messages. */
const REMOVABLE = [
  ['completions', { CompleteRequest: 'completion/complete' }],
  [
    'logging',
    { SetLevelRequest: 'logging/setLevel', LoggingMessageNotification: 'notifications/message' },
  ],
] as const;

/** What `diff` reports of removed messages of an extension, beside the definition. */
const EXTENSION_MESSAGES: Readonly<Record<string, readonly string[]>> = {
  CancelTaskRequest: ['request tasks/cancel of client removed breaks sender'],
  GetTaskRequest: ['request tasks/get of client removed breaks sender'],
  UpdateTaskRequest: ['request tasks/update of client removed breaks sender'],
  CreateTaskResult: [],
};

function renamed(context: Context, names: readonly string[]): Made | undefined {
  const { schemas, container, touched, id } = context;
  const found = pick(
    context,
    names.filter((name) => !touched.has(name)),
  );
  if (found === undefined) return undefined;
  const name = `${found}Mutant${String(id)}`;
  schemas[name] = schemas[found] ?? {};
  Reflect.deleteProperty(schemas, found);
  const from = `"#/${container}/${found}"`;
  const text = JSON.stringify(schemas).replaceAll(from, `"#/${container}/${name}"`);
  Object.assign(schemas, JSON.parse(text));
  return {
    touches: [found, name],
    lines: [`definition ${found} removed`, `definition ${name} added`],
    renames: [found, name],
  };
}

export const KINDS = Object.keys(MUTATIONS);

function addRequest(context: Context, withCapability: boolean): Made | undefined {
  const { schemas, id, touched } = context;
  const union = 'ClientRequest';
  const members = groupOf(context, union);
  if (!members || touched.has('ServerCapabilities')) return undefined;
  const name = `Mutant${String(id)}`;
  const method = `mutant${String(id)}/do`;
  schemas[`${name}Request`] = object(
    {
      id: ref(context, 'RequestId'),
      jsonrpc: literal('2.0'),
      method: literal(method),
      params: ref(context, `${name}RequestParams`),
    },
    'id',
    'jsonrpc',
    'method',
    'params',
  );
  schemas[`${name}RequestParams`] = object({ x: { type: 'string' } }, 'x');
  schemas[`${name}Result`] = object({ y: { type: 'number' } }, 'y');
  members.push(ref(context, `${name}Request`));
  const owner = schemas['ServerCapabilities'];
  if (withCapability && owner) {
    propertiesOf(owner)[`mutant${String(id)}`] = { type: 'object', properties: {} };
  }
  return {
    touches: [
      union,
      `${name}Request`,
      `${name}RequestParams`,
      `${name}Result`,
      ...(withCapability ? ['ServerCapabilities'] : []),
    ],
    lines: [
      ...['Request', 'RequestParams', 'Result'].map((part) => `definition ${name}${part} added`),
      `${union}:  added breaks nothing`,
      `request ${method} of client added breaks ${withCapability ? 'nothing' : 'receiver'}`,
      ...(withCapability ? [`ServerCapabilities: mutant${String(id)} added breaks nothing`] : []),
    ],
  };
}

function removeMessage(
  context: Context,
  unions: readonly string[],
  kind: string,
  breaks: string,
): Made | undefined {
  const { schemas, touched } = context;
  const text = JSON.stringify(schemas);
  const candidates = unions.flatMap((union) =>
    (groupOf(context, union) ?? []).flatMap((member) => {
      const name = (member as { readonly $ref: string }).$ref.replace(/^.*\//, '');
      const method = methodOf(schemas[name]);
      const others = unions.filter((each) => each !== union);
      const isShared = others.some((each) => saysMethod(context, each, name, method));
      const uses = text.split(`/${name}"`).length - 1;
      const isSaid = others.some((each) =>
        JSON.stringify(schemas[each] ?? {}).includes(`/${name}"`),
      );
      const isOnly =
        uses === (isSaid ? 2 : 1) && ![name, ...others].some((each) => touched.has(each));
      return isOnly ? [{ union, name, method, member, isShared, isSaid }] : [];
    }),
  );
  const found = pick(context, candidates);
  const members = found && groupOf(context, found.union);
  if (!found || !members || members.length < 3) return undefined;
  const { union, name, method, member, isShared, isSaid } = found;
  members.splice(members.indexOf(member), 1);
  if (!isSaid) Reflect.deleteProperty(schemas, name);
  const [sender, other] = union.startsWith('Client') ? ['client', 'server'] : ['server', 'client'];
  return {
    touches: isSaid ? [union] : [union, name],
    lines: [
      ...(isSaid ? [] : [`definition ${name} removed`]),
      `${union}:  removed breaks nothing`,
      isShared
        ? `${method} senders: client, server → ${other}`
        : `${kind} ${method} of ${sender} removed breaks ${breaks}`,
    ],
  };
}

/** Whether a union says a message: by reference, or as the only one, without a reference. */
function saysMethod({ schemas }: Context, union: string, name: string, method: string): boolean {
  const text = JSON.stringify(schemas[union] ?? {});
  return text.includes(`/${name}"`) || text.includes(`"const":${JSON.stringify(method)}`);
}

const methodOf = (message: JsonObject = {}): string =>
  (propertiesOf(message)['method'] as { readonly const: string } | undefined)?.const ?? '';

function retyped(
  context: Context,
  isWanted: (found: PropertyPlace) => boolean,
  change: (value: JsonObject) => JsonObject,
  breaks: string,
): Made | undefined {
  const found = pick(context, properties(context).filter(isWanted));
  if (!found) return undefined;
  propertiesOf(found.schema)[found.key] = change(found.value);
  return changed(found.name, `${say(found.key)} changed breaks ${breaks}`);
}

const changed = (name: string, line: string): Made => ({
  touches: [name],
  lines: [`${name}: ${line}`],
});

const say = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key));

const ref = ({ container }: Context, name: string): JsonObject => ({
  $ref: `#/${container}/${name}`,
});

const propertiesOf = (schema: JsonObject): JsonObject => (schema['properties'] ?? {}) as JsonObject;
const requiredOf = (schema: JsonObject): string[] => (schema['required'] ?? []) as string[];

function groupOf({ schemas, touched }: Context, union: string): Json[] | undefined {
  return touched.has(union) ? undefined : (schemas[union]?.['anyOf'] as Json[] | undefined);
}

/** The definitions that no mutation has touched. */
function free({ schemas, touched }: Context): string[] {
  return Object.keys(schemas).filter((name) => !touched.has(name));
}

/** Whether no fact about messages is derived from a definition. */
const isData = (name: string): boolean =>
  !/Request|Notification|Result|Response|JSONRPC|Capabilit|Error|Task|Params/.test(name);

interface Place {
  readonly name: string;
  readonly schema: JsonObject;
}

/** Definitions that are objects, open to other keys, and say all of it themselves. */
function objects(context: Context): Place[] {
  return free(context).flatMap((name) => {
    const schema = context.schemas[name] ?? {};
    const plain = !['additionalProperties', 'allOf', 'anyOf'].some((key) => key in schema);
    return plain && 'properties' in schema && !CAPABILITIES.has(name) ? [{ name, schema }] : [];
  });
}

const CAPABILITIES = new Set(['ClientCapabilities', 'ServerCapabilities']);

interface PropertyPlace extends Place {
  readonly key: string;
  readonly value: JsonObject;
}

/** Properties of these that neither the envelope of a message nor a fact is made of. */
function properties(context: Context): PropertyPlace[] {
  return objects(context).flatMap(({ name, schema }) =>
    Object.entries(propertiesOf(schema)).flatMap(([key, value]) =>
      ENVELOPE.has(key) || key.includes('/') || typeof value !== 'object'
        ? []
        : [{ name, schema, key, value: value as JsonObject }],
    ),
  );
}

const ENVELOPE = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error', 'code', 'task']);

const isOptional = ({ schema, key }: PropertyPlace): boolean => !requiredOf(schema).includes(key);

const isEnum = ({ value }: PropertyPlace): boolean =>
  Array.isArray(value['enum']) && value['enum'].length > 2 && value['type'] === 'string';

const isPlain =
  (type: string) =>
  ({ value }: PropertyPlace): boolean =>
    Object.keys(value).every((key) => ['type', 'description'].includes(key)) &&
    value['type'] === type;

function pick<T>({ random }: Context, from: readonly T[]): T | undefined {
  return from.length === 0 ? undefined : from[random(from.length)];
}

/** The same schema in another order, with another `$id` and other texts. */
function disguised(schema: JsonObject, random: Random): JsonObject {
  const id = random(2) === 0 ? {} : { $id: `https://example.com/${String(random(1000))}.json` };
  return { ...id, ...(shuffled(schema, random, 'schema') as JsonObject) };
}

/** Shuffles members of objects, and lists that are sets; `role` is as in `schema/README.md`. */
function shuffled(value: Json, random: Random, role: 'schema' | 'map' | 'other'): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => shuffled(each, random, role));
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => {
    if (role === 'schema' && key === 'description') return [key, `Mutant. ${String(random(9))}`];
    if (role === 'schema' && SETS.has(key) && Array.isArray(inner)) {
      const all = PLAIN.has(key) ? inner : inner.map((each) => shuffled(each, random, role));
      return [key, inOtherOrder(all, random)];
    }
    if (role === 'map') return [key, shuffled(inner, random, 'schema')];
    if (role === 'other' || PLAIN.has(key)) return [key, inner];
    return [key, shuffled(inner, random, MAPS.has(key) ? 'map' : 'schema')];
  });
  return Object.fromEntries(inOtherOrder(entries, random));
}

const SETS = new Set(['required', 'enum', 'type', 'anyOf', 'oneOf', 'allOf']);
const MAPS = new Set(['properties', '$defs', 'definitions', 'patternProperties']);
const PLAIN = new Set(['const', 'default', 'enum', 'examples', 'required', 'type']);

function inOtherOrder<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((each) => [random(1_000_000), each] as const)
    .sort(([a], [b]) => a - b)
    .map(([, each]) => each);
}

/** mulberry32 */
function randomOf(seed: number): Random {
  let state = (seed + 1) * 0x9e3779b9;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
