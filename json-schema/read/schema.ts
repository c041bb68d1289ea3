import { quote } from '../text.js';
import type { JsonPrimitive, JsonValue, Node } from '../model.js';
import { arrayNode } from './array.js';
import { refStandsAlone } from './drafts.js';
import { isObject, member } from '../json.js';
import { GROUPS, isNames, restricts } from './keywords.js';
import { objectNode, presence } from './object.js';
import type { At, Cost, Reader } from './reader.js';
import { readReference } from './reference.js';
import { scalarNode } from './scalar.js';
import { Values } from './values.js';

const ALL_TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string'] as const;
type TypeName = (typeof ALL_TYPES)[number] | 'integer';

/** What is added to a node that was read just now, which takes a tenth of the time of a copy. */
type Added = { -readonly [K in keyof Said]: Said[K] };
type Said = Pick<Node, 'description' | 'default' | 'deprecated'> & Cost;

/** Reads one schema. */
export function readSchema(at: At, reader: Reader): Node & Cost {
  const { schema } = at.place;
  if (typeof schema === 'boolean') return { kind: schema ? 'any' : 'never' };
  const before = reader.faults.count;
  const own = new Values(at, reader);
  if (reader.nullable && !own.speaksOf(GROUPS.type)) noteNullable(at, own, reader);
  const node = unannotated(own, at, reader);
  const added: Added = node;
  if (own.describes) {
    const description = member(schema, 'description');
    if (typeof description === 'string' && description) added.description = description;
    if (Object.hasOwn(schema, 'default')) added.default = schema['default'] ?? null;
    if (member(schema, 'deprecated') === true) added.deprecated = true;
  }
  if (reader.faults.count === before) return node;
  added.inexact = true;
  if (reader.faults.unseen.has(at.place)) added.unseen = true;
  return node;
}

/** OpenAPI 3.0 adds null to `type` only, and its authors may not know that. */
function noteNullable({ place }: At, own: Values, { report }: Reader): void {
  if (member(own.schema, 'nullable') !== true) return;
  report(
    {
      code: 'unsupported-keyword',
      message: '"nullable" changes nothing, because there is no "type" beside it.',
      help: 'Add a "type", or use "anyOf" with { "enum": [null] } as an alternative.',
      harmless: true,
    },
    place,
    'nullable',
  );
}

/** All keywords of a schema apply together. Most schemas have only one part. */
function unannotated(own: Values, at: At, reader: Reader): Node {
  if (!own.speaksOf(UNUSUAL)) return typedNode(own, at, reader);
  if (own.speaksOf(GROUPS.reference)) {
    const reference = own.text('$ref') ?? '';
    const node = readReference(reference, '$ref', at, reader);
    if (refStandsAlone(at.place.resource.draft) && reader.refSiblings === 'ignore') {
      noteSiblings(at, reader);
      return node;
    }
    return evaluated(own, at, reader, [node, ...parts(own, at, reader)]);
  }
  return evaluated(own, at, reader, parts(own, at, reader));
}

/** What stands beside a `$ref` means nothing up to draft-07, and its author may not know that. */
function noteSiblings({ place }: At, { report }: Reader): void {
  const { draft } = place.resource;
  const ignored = Object.keys(place.schema).filter((name) => restricts(draft, name));
  if (ignored.length === 0) return;
  report(
    {
      code: 'ignored-siblings',
      message: `${draft} ignores ${ignored.map((name) => quote(name)).join(', ')} beside "$ref".`,
      help: 'Move "$ref" into an "allOf", or use --ref-siblings honour.',
      harmless: true,
    },
    place,
  );
}

function parts(own: Values, at: At, reader: Reader): readonly Node[] {
  const literals = own.speaksOf(GROUPS.literal) ? literalsOf(own, reader) : undefined;
  const isTyped = own.speaksOf(literals ? TYPED : TYPED | GROUPS.type);
  const typed = isTyped ? [typedNode(own, at, reader)] : NO_NODES;
  const first = literals ? [literals, ...typed] : typed;
  if (!own.speaksOf(BESIDE)) return first;
  return [
    ...dynamic(own, at, reader),
    ...first,
    ...applied(own, at, reader),
    ...dependencies(own, at, reader),
  ];
}

/** The groups of keywords for one type of value, and those that most schemas do not have. */
const TYPED = GROUPS.object | GROUPS.array | GROUPS.number | GROUPS.string;
const BESIDE = GROUPS.dynamic | GROUPS.applied | GROUPS.dependency;
const UNUSUAL = BESIDE | GROUPS.reference | GROUPS.literal | GROUPS.unevaluated;
const NO_NODES: readonly Node[] = [];

function dynamic(own: Values, at: At, reader: Reader): Node[] {
  return (['$dynamicRef', '$recursiveRef'] as const).flatMap((keyword) => {
    const written = own.text(keyword);
    return written === undefined ? [] : [readReference(written, keyword, at, reader)];
  });
}

/** `unevaluatedProperties` and `unevaluatedItems` see what the other parts have described. */
function evaluated(own: Values, at: At, reader: Reader, all: readonly Node[]): Node {
  const node = join('intersection', all) ?? { kind: 'any' };
  if (!own.speaksOf(GROUPS.unevaluated)) return node;
  const rule = (name: string): Node | undefined =>
    own.has(name) ? reader.below(at, name) : undefined;
  const [properties, items] = [rule('unevaluatedProperties'), rule('unevaluatedItems')];
  if (!properties && !items) return node;
  return {
    kind: 'unevaluated',
    node,
    ...(properties && { properties }),
    ...(items && { items }),
  };
}

/** `type: [a, b]` is a union, and each type gets its keywords. Without `type`, they restrict their own. */
function typedNode(own: Values, at: At, reader: Reader): Node {
  if (!own.speaksOf(TYPED | GROUPS.type)) return { kind: 'any' };
  const types = typesOf(own, reader);
  const [only] = types;
  if (only !== undefined && types.length === 1) return nodeOf(only, own, at, reader);
  const wanted = types.filter((type) => type !== 'integer' || !types.includes('number'));
  const members = [...new Set(wanted)].map((type) => nodeOf(type, own, at, reader));
  return join('union', members) ?? { kind: 'never' };
}

function nodeOf(type: TypeName, own: Values, at: At, reader: Reader): Node {
  switch (type) {
    case 'object':
      return objectNode(own, at, reader);
    case 'array':
      return arrayNode(own, at, reader);
    default:
      return scalarNode(type, own);
  }
}

function typesOf(own: Values, { nullable }: Reader): readonly TypeName[] {
  const type = own.value('type');
  if (type === undefined) return ALL_TYPES;
  const types = (Array.isArray(type) ? type : [type]) as TypeName[];
  return nullable && member(own.schema, 'nullable') === true ? [...types, 'null'] : types;
}

/** The values of `const` and `enum` that `type` allows. */
function literalsOf(own: Values, reader: Reader): Node | undefined {
  const types = typesOf(own, reader);
  const lists = [
    ...(own.has('const') ? [[own.value('const') ?? null]] : []),
    ...(own.has('enum') ? [own.value('enum') as JsonValue[]] : []),
  ];
  return join(
    'intersection',
    lists.map((listed) => oneOf(listed, types, reader)),
  );
}

function oneOf(listed: readonly JsonValue[], types: readonly TypeName[], reader: Reader): Node {
  const primitives = new Set<JsonPrimitive>();
  const members: Node[] = [];
  for (const value of listed) {
    if (!types.some((type) => matches(type, value))) continue;
    count(value, reader);
    if (isComposite(value)) members.push({ kind: 'constant', value });
    else primitives.add(value as JsonPrimitive);
  }
  if (primitives.size > 0 || members.length === 0) {
    members.unshift({ kind: 'literal', values: [...primitives] });
  }
  return join('union', members) ?? { kind: 'never' };
}

function count(value: JsonValue, reader: Reader): void {
  reader.visit?.();
  if (isComposite(value))
    for (const part of Object.values(value as object)) count(part as JsonValue, reader);
}

const isComposite = (value: JsonValue): boolean => typeof value === 'object' && value !== null;

function matches(type: TypeName, value: JsonValue): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

/** The schemas that apply to the same value. */
function applied(own: Values, at: At, reader: Reader): Node[] {
  const each = (name: string): Node[] | undefined =>
    (own.value(name) as JsonValue[] | undefined)?.map((_, index) => reader.below(at, name, index));
  const [anyOf, oneOf] = [each('anyOf'), each('oneOf')];
  return [
    ...(anyOf ? [join('union', anyOf) ?? { kind: 'never' }] : []),
    ...(each('allOf') ?? []),
    ...(oneOf ? [join('exclusive', oneOf) ?? { kind: 'never' }] : []),
    ...(own.has('not') ? [negation(reader.below(at, 'not'))] : []),
    ...condition(own, at, reader),
  ];
}

const ANY: Node = { kind: 'any' };

function negation(node: Node & Cost): Node {
  if (node.kind === 'any' && !node.inexact) return { kind: 'never' };
  return node.kind === 'never' ? { kind: 'any' } : { kind: 'not', node };
}

/** `if` alone refuses nothing, but what it describes counts as evaluated. */
function condition(own: Values, at: At, reader: Reader): Node[] {
  if (!own.has('if')) return [];
  const branch = (name: string): Node => (own.has(name) ? reader.below(at, name) : ANY);
  return [{ kind: 'conditional', if: branch('if'), then: branch('then'), else: branch('else') }];
}

const DEPENDENCIES = ['dependentSchemas', 'dependentRequired', 'dependencies'] as const;

/** Schemas and names that a key demands when it is present. */
function dependencies(own: Values, at: At, reader: Reader): Node[] {
  const names = DEPENDENCIES.filter((name) => own.has(name));
  return names.flatMap((name) => {
    const written = own.value(name);
    if (!isObject(written)) return [];
    return Object.entries(written).map(([key, demanded]): Node => {
      const then = isNames(demanded) ? presence(demanded) : reader.below(at, name, key);
      return { kind: 'conditional', if: presence([key]), then, else: ANY };
    });
  });
}

/** One node needs no wrapper. For none, the caller decides the meaning. */
function join(
  kind: 'union' | 'intersection' | 'exclusive',
  members: readonly Node[],
): Node | undefined {
  return members.length > 1 ? { kind, members } : members[0];
}
