/**
 * The metamodel of schemas: what they accept and say, independent of the notation of JSON Schema. It is pure data that
 * survives `structuredClone` and `JSON.stringify`. Emitters read only this.
 */

export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | JsonValue[] | { [key: string]: JsonValue };

/** The optional fields of every node. */
interface Annotated {
  /** Plain text for a doc comment. It is untrusted and may contain the end of a comment. */
  readonly description?: string;
  readonly default?: JsonValue;
  readonly deprecated?: boolean;
}

/** Accepts every value: an empty schema. */
export interface AnyNode extends Annotated {
  readonly kind: 'any';
}

/** Accepts no value: `false`, or `not: {}`. */
export interface NeverNode extends Annotated {
  readonly kind: 'never';
}

export interface NullNode extends Annotated {
  readonly kind: 'null';
}

export interface BooleanNode extends Annotated {
  readonly kind: 'boolean';
}

export interface StringNode extends Annotated {
  readonly kind: 'string';
  /** Asserted by the Zod schemas, and by the validators on request; always one of `FORMATS`. */
  readonly format?: Format;
  /** A regular expression, applied with the `u` flag and unanchored, as JSON Schema has it. */
  readonly pattern?: string;
  /** In Unicode code points. */
  readonly minLength?: number;
  /** In Unicode code points. */
  readonly maxLength?: number;
}

export interface NumberNode extends Annotated {
  readonly kind: 'number';
  /** A number without a fraction, however large: `1e21` is one. */
  readonly integer: boolean;
  /** Inclusive. */
  readonly minimum?: number;
  /** Inclusive. */
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  /** More than 0. A value is a multiple by its decimal digits: 0.3 is one of 0.1. */
  readonly multipleOf?: number;
}

/** One of a list of primitives; `const` is a list of one. */
export interface LiteralNode extends Annotated {
  readonly kind: 'literal';
  readonly values: readonly JsonPrimitive[];
}

/** One object or array; values are compared deeply. */
export interface ConstantNode extends Annotated {
  readonly kind: 'constant';
  readonly value: JsonValue;
}

export interface ArrayNode extends Annotated {
  readonly kind: 'array';
  /** The rule for items that `prefix` does not describe. */
  readonly items: Node;
  /** The first items, by position. */
  readonly prefix?: readonly Node[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly contains?: Contains;
  /** Whether `items` is written although it accepts everything, so that every item is evaluated. */
  readonly openItems?: boolean;
}

/** How many items match `node`. */
export interface Contains {
  readonly node: Node;
  readonly min: number;
  readonly max?: number;
  /** Whether the matching items count as evaluated, as in 2020-12. */
  readonly evaluates: boolean;
}

export interface ObjectNode extends Annotated {
  readonly kind: 'object';
  /** In schema order. */
  readonly properties: readonly Property[];
  /** The rule for keys that `properties` does not name. */
  readonly additional: Additional;
  /** Whether the schema has `properties`, because `properties: {}` and none give different types. */
  readonly hasProperties: boolean;
  /** Rules for all keys that match a regular expression, also for named ones. */
  readonly patterns?: readonly PatternRule[];
  /** The rule for the keys themselves. */
  readonly names?: Node;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

export interface PatternRule {
  /** As in `StringNode`. */
  readonly pattern: string;
  readonly node: Node;
}

export interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly node: Node;
  /** The place of its schema in the definition's document, as a JSON pointer. */
  readonly pointer?: string;
  /** Only `required` names it, so that it counts as an unnamed key in all other respects. */
  readonly unlisted?: boolean;
}

/**
 * - `unsaid`: no `additionalProperties`; any key is valid, but the type does not allow it.
 * - `open`: `additionalProperties` is `true` or `{}`.
 * - `closed`: `additionalProperties` is `false`.
 * - `typed`: every other key's value has to match `node`.
 */
export type Additional =
  { readonly kind: 'unsaid' | 'open' | 'closed' } | { readonly kind: 'typed'; readonly node: Node };

export interface UnionNode extends Annotated {
  readonly kind: 'union';
  readonly members: readonly Node[];
  /** Present when one property tells the members apart. */
  readonly discriminator?: Discriminator;
}

export interface Discriminator {
  /** A property that every member requires, with different literals in each member. */
  readonly property: string;
  /** The index in `members` for each literal. */
  readonly cases: readonly { readonly value: JsonPrimitive; readonly member: number }[];
}

/** Accepts the values that all members accept. */
export interface IntersectionNode extends Annotated {
  readonly kind: 'intersection';
  readonly members: readonly Node[];
}

/** Accepts the values that exactly one member accepts. */
export interface ExclusiveNode extends Annotated {
  readonly kind: 'exclusive';
  readonly members: readonly Node[];
}

/** Accepts the values that `node` refuses. */
export interface NotNode extends Annotated {
  readonly kind: 'not';
  readonly node: Node;
}

/** Applies `then` to the values that `if` accepts, and `else` to the others. */
export interface ConditionalNode extends Annotated {
  readonly kind: 'conditional';
  readonly if: Node;
  readonly then: Node;
  readonly else: Node;
}

/** Accepts what `node` accepts if its unevaluated keys and items match these rules. */
export interface UnevaluatedNode extends Annotated {
  readonly kind: 'unevaluated';
  readonly node: Node;
  /** For keys that no part of `node` that accepts the value describes. */
  readonly properties?: Node;
  /** The same for items. */
  readonly items?: Node;
}

export interface RefNode extends Annotated {
  readonly kind: 'ref';
  /** Always the name of a definition of the same protocol. */
  readonly name: string;
}

export type Node =
  | AnyNode
  | NeverNode
  | NullNode
  | BooleanNode
  | StringNode
  | NumberNode
  | LiteralNode
  | ConstantNode
  | ArrayNode
  | ObjectNode
  | UnionNode
  | IntersectionNode
  | ExclusiveNode
  | NotNode
  | ConditionalNode
  | UnevaluatedNode
  | RefNode;

/** The string formats of JSON Schema, and `byte`, which MCP schemas use. */
export const FORMATS = [
  'byte',
  'date',
  'date-time',
  'duration',
  'email',
  'hostname',
  'idn-email',
  'idn-hostname',
  'ipv4',
  'ipv6',
  'iri',
  'iri-reference',
  'json-pointer',
  'regex',
  'relative-json-pointer',
  'time',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
] as const;
export type Format = (typeof FORMATS)[number];

const KNOWN_FORMATS: ReadonlySet<unknown> = new Set(FORMATS);

export function isFormat(format: unknown): format is Format {
  return KNOWN_FORMATS.has(format);
}

export interface Definition {
  /** The name in the schema. The loader ensures that it is a TypeScript identifier. */
  readonly name: string;
  readonly description?: string;
  readonly node: Node;
  /** Its place in the document, as a JSON pointer. */
  readonly pointer?: string;
  /** The URI of the document, if it is not the protocol's own. */
  readonly document?: string;
}
