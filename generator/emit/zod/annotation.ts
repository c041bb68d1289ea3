import { recursiveNames, referencesOf, resolve } from '../../../json-schema/index.js';
import type {
  ArrayNode,
  Definitions,
  LiteralNode,
  Node,
  ObjectNode,
  Property,
} from '../../../json-schema/index.js';
import { block, either, generic, key, list, objectOf, quoted } from '../format/layout.js';
import type { Code } from '../format/layout.js';
import { constantType } from '../types/constant.js';
import { discriminatorIn, schemaName } from './expression.js';
import type { Context } from './expression.js';
import type { Form, Forms } from './forms.js';
import { isSmall, LEAF, MOST_LEVELS_IN_ALL, sizeOf } from './native.js';
import type { Size } from './native.js';

/** The annotations of one file's schemas. */
export class Annotations {
  readonly #typed: Definitions;
  readonly #context: Context;
  readonly #recursive: ReadonlySet<string>;
  /** What the compiler has to follow to find the type of the values of a schema, by its definition. */
  readonly #sizes = new Map<string, Size>();

  /** `typed` are the definitions as `types.ts` has them. */
  constructor(forms: Forms, typed: Definitions, context: Context) {
    this.#typed = typed;
    this.#context = context;
    const lists = [...forms.values()].filter(({ said }) => said && said.kind !== 'object');
    const recursive = recursiveNames(
      new Map([...forms].map(([name, { said }]) => [name, said ? referencesOf(said) : new Set()])),
    );
    this.#recursive = new Set(lists.map(({ name }) => name).filter((name) => recursive.has(name)));
  }

  /**
   * An explicit type, which `isolatedDeclarations` requires: as deep as the schema is made, with the types of other schemas
   * by their names. The type that Zod infers from it is that of `types.ts`, also where a validator says more than the schema.
   */
  of({ name, said }: Form): Code {
    const own = `types.${name}`;
    if (said === undefined) return `z.ZodCustom<${own}, ${own}>`;
    const size = sizeOf(said, (each) => this.#sizes.get(each) ?? LEAF);
    const isWhole = isSmall(size, MOST_LEVELS_IN_ALL);
    const type = typeOf(said, this.#context, (each) => this.#reference(each, isWhole));
    if (!isInferred(said, this.#typed.get(name)?.node ?? said, this.#typed)) {
      return this.#typedAs(type, name);
    }
    this.#sizes.set(name, isWhole ? size : sizeOf(said));
    return type;
  }

  /** The type of a reference: in a schema that is not small as a whole, the type of its values is not left to the compiler. */
  #reference(name: string, isWhole: boolean): Code {
    const type = `typeof ${schemaName(name)}`;
    if (!this.#context.declared(name)) {
      const target = objectOf([`schema: ${type}`], ';');
      return generic(this.#context.imports.type('zod', 'Lazy'), [`types.${name}`, target]);
    }
    if (isWhole || !this.#sizes.get(name)?.levels) return type;
    // The compiler gives up on a circle of them.
    return this.#recursive.has(name) ? `z.ZodType<types.${name}>` : this.#typedAs(type, name);
  }

  #typedAs(type: Code, name: string): Code {
    return generic(this.#context.imports.type('zod', 'Typed'), [type, `types.${name}`]);
  }
}

/** The type of what `expressionOf` makes. */
function typeOf(node: Node, context: Context, reference: (name: string) => Code): Code {
  const inner = (each: Node): Code => typeOf(each, context, reference);
  switch (node.kind) {
    case 'literal':
      return literalType(node);
    case 'array':
      return arrayType(node, inner);
    case 'object':
      return objectType(node, inner, context);
    case 'union': {
      const members = list(node.members.map(inner));
      const property = discriminatorIn(node, context);
      return property === undefined
        ? generic('z.ZodUnion', [members])
        : generic('z.ZodDiscriminatedUnion', [members, quoted(property)]);
    }
    case 'intersection':
      return node.members
        .map(inner)
        .reduce((left, right) => generic('z.ZodIntersection', [left, right]));
    case 'ref':
      return reference(node.name);
    default:
      return PLAIN[node.kind as keyof typeof PLAIN];
  }
}

const PLAIN = {
  any: 'z.ZodUnknown',
  never: 'z.ZodNever',
  null: 'z.ZodNull',
  boolean: 'z.ZodBoolean',
  string: 'z.ZodString',
  number: 'z.ZodNumber',
} as const satisfies Partial<Record<Node['kind'], string>>;

function literalType({ values }: LiteralNode): Code {
  if (values.length === 0) return PLAIN.never;
  if (values.length === 1 || values.some((value) => typeof value !== 'string'))
    return generic('z.ZodLiteral', [either([...new Set(values.map(constantType))])]);
  const entries = [...new Set(values.map(String))];
  return generic('z.ZodEnum', [
    objectOf(
      entries.map((value) => [key(value), ': ', constantType(value)]),
      ';',
    ),
  ]);
}

function arrayType({ items, prefix }: ArrayNode, inner: (node: Node) => Code): Code {
  if (!prefix) return generic('z.ZodArray', [inner(items)]);
  const rest = items.kind === 'never' ? 'null' : inner(items);
  return generic('z.ZodTuple', [list(prefix.map(inner)), rest]);
}

const OBJECT_TYPES = {
  unsaid: 'LooseObject',
  open: 'LooseObject',
  closed: 'StrictObject',
  typed: 'RecordObject',
} as const satisfies Record<ObjectNode['additional']['kind'], string>;

function objectType(node: ObjectNode, inner: (node: Node) => Code, context: Context): Code {
  if (isAnyObject(node)) return context.imports.type('zod', 'AnyObject');
  const { properties, additional } = node;
  const shape = block(
    properties.map(({ name, required, node }) => {
      const type = inner(node);
      return [key(name), ': ', required ? type : generic('z.ZodExactOptional', [type])];
    }),
    ';',
  );
  const values = additional.kind === 'typed' ? [inner(additional.node)] : [];
  return generic(context.imports.type('zod', OBJECT_TYPES[additional.kind]), [...values, shape]);
}

/** Whether Zod infers from what is said of a node the type that `types.ts` has; `false` also where that is hard to see. */
function isInferred(said: Node, type: Node, typed: Definitions): boolean {
  if (said.kind === 'object') return isInferredObject(said, partsOf(type, typed), typed);
  if (type.kind === 'intersection' && said.kind !== 'intersection') {
    const telling = type.members.filter((each) => !isWider(each, said, typed));
    return telling.length > 0 && telling.every((each) => isInferred(said, each, typed));
  }
  const other = said.kind === 'ref' ? type : resolve(type, typed);
  const alike = (one: Node, another: Node): boolean => isInferred(one, another, typed);
  if (said.kind === 'ref' && other.kind === 'ref') return said.name === other.name;
  if (said.kind === 'literal' && other.kind === 'literal')
    return areAlike(said.values, other.values, Object.is);
  if (said.kind === 'array' && other.kind === 'array')
    return !said.prefix && !other.prefix && alike(said.items, other.items);
  if ('members' in said && 'members' in other)
    return said.kind === other.kind && areAlike(said.members, other.members, alike);
  return said.kind === other.kind;
}

/** Whether a part of a type leaves the other parts as they are. */
function isWider(part: Node, said: Node, typed: Definitions): boolean {
  const { kind } = resolve(part, typed);
  const isOf = said.kind === 'literal' && said.values.every((value) => typeof value === kind);
  return kind === 'any' || isOf;
}

function areAlike<T>(
  some: readonly T[],
  others: readonly T[],
  alike: (one: T, other: T) => boolean,
): boolean {
  return some.length === others.length && some.every((each, at) => alike(each, others[at] as T));
}

/** What a type consists of, through references and intersections. */
function partsOf(type: Node, typed: Definitions): Node[] {
  const parts = new Set<Node>();
  const waiting = [type];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const target = resolve(next, typed);
    if (parts.has(target)) continue;
    parts.add(target);
    if (target.kind === 'intersection') waiting.push(...target.members);
  }
  return [...parts].filter(({ kind }) => kind !== 'intersection' && kind !== 'any');
}

function isInferredObject(said: ObjectNode, parts: readonly Node[], typed: Definitions): boolean {
  const types = new Map<string, Node[]>();
  const required = new Set<string>();
  for (const part of parts) {
    if (part.kind !== 'object' || !hasIndexOf(said, part, typed)) return false;
    for (const property of part.properties) {
      types.set(property.name, [...(types.get(property.name) ?? []), property.node]);
      if (property.required) required.add(property.name);
    }
  }
  const isSame = (property: Property): boolean => {
    const [only, ...others] = types.get(property.name) ?? [];
    if (only === undefined || required.has(property.name) !== property.required) return false;
    const type: Node =
      others.length === 0 ? only : { kind: 'intersection', members: [only, ...others] };
    return isInferred(property.node, type, typed);
  };
  return parts.length > 0 && said.properties.length === types.size && said.properties.every(isSame);
}

function hasIndexOf(said: ObjectNode, part: ObjectNode, typed: Definitions): boolean {
  if (OBJECT_TYPES[said.additional.kind] !== OBJECT_TYPES[part.additional.kind]) return false;
  // An index signature of `types.ts` covers the named properties, too.
  if (said.additional.kind === 'typed' && part.additional.kind === 'typed')
    return (
      said.properties.length === 0 && isInferred(said.additional.node, part.additional.node, typed)
    );
  return isAnyObject(said) === isAnyObject(part);
}

/** Whether its type is `object`, which has no index signature. */
const isAnyObject = ({ properties, additional, hasProperties }: ObjectNode): boolean =>
  properties.length === 0 && hasProperties && OBJECT_TYPES[additional.kind] === 'LooseObject';
