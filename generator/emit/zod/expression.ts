import type {
  ArrayNode,
  LiteralNode,
  Node,
  NumberNode,
  ObjectNode,
  Property,
  StringNode,
  UnionNode,
} from '../../../json-schema/index.js';
import { block, call, chain, hug, key, list, quoted } from '../format/layout.js';
import type { Code } from '../format/layout.js';
import { FORMAT_CHECKERS } from '../formats.js';
import type { Imports } from '../imports.js';
import { linearMatcher, patternOf } from '../validators/pattern.js';

/** The context of one file's expressions. */
export interface Context {
  /** Whether a definition's schema is already declared. Others need `z.lazy`. */
  readonly declared: (name: string) => boolean;
  /** Whether the schema of a node knows the literals of a property, as a discriminated union needs. */
  readonly discriminates: (node: Node, property: string) => boolean;
  readonly imports: Imports;
}

/** `z.string()`: the Zod schema that accepts what the node accepts. */
export function expressionOf(node: Node, context: Context): Code {
  switch (node.kind) {
    case 'any':
      return 'z.unknown()';
    case 'never':
      return 'z.never()';
    case 'null':
    case 'boolean':
      return `z.${node.kind}()`;
    case 'string':
      return stringOf(node, context);
    case 'number':
      return numberOf(node, context);
    case 'literal':
      return literalOf(node);
    case 'array':
      return arrayOf(node, context);
    case 'object':
      return objectOf(node, context);
    case 'union':
      return unionOf(node, context);
    case 'intersection':
      return node.members
        .map((member) => expressionOf(member, context))
        .reduce((left, right) => call(context.imports.value('zod', 'both'), [left, right]));
    case 'constant':
    case 'exclusive':
    case 'not':
    case 'conditional':
    case 'unevaluated':
      throw new Error(`Zod has no schema for the kind ${node.kind}.`);
    case 'ref':
      return context.declared(node.name)
        ? schemaName(node.name)
        : call('z.lazy', [`(): z.core.SomeType => ${schemaName(node.name)}`]);
  }
}

export function schemaName(definition: string): string {
  return `${definition}Schema`;
}

function stringOf(node: StringNode, context: Context): Code {
  const checks: string[] = [];
  if (node.format) {
    const { module, name } = FORMAT_CHECKERS[node.format];
    const message = quoted(`Invalid input: expected format ${node.format}`);
    checks.push(`.refine(${context.imports.value(module, name)}, ${message})`);
  }
  if (node.pattern !== undefined) {
    checks.push(patternCheck(node.pattern, context));
  }
  if (node.minLength !== undefined) checks.push(lengthCheck('>=', node.minLength, context));
  if (node.maxLength !== undefined) checks.push(lengthCheck('<=', node.maxLength, context));
  return chain('z', ['.string()', ...checks]);
}

function patternCheck(pattern: string, { imports }: Context): string {
  const { program } = patternOf(pattern);
  if (!program) return `.regex(/*@__PURE__*/ new RegExp(${quoted(pattern)}, 'u'))`;
  const matcher = linearMatcher(program, imports.value('pattern', 'linear'));
  const message = quoted(`Invalid string: must match pattern ${pattern}`);
  return `.refine(/*@__PURE__*/ ${matcher}.test, ${message})`;
}

function lengthCheck(operator: '>=' | '<=', length: number, context: Context): string {
  const count = context.imports.value('characters', 'characters');
  const message = `Invalid input: expected ${operator} ${String(length)} characters`;
  return `.refine((text) => ${count}(text) ${operator} ${String(length)}, ${quoted(message)})`;
}

function numberOf(node: NumberNode, context: Context): Code {
  const base = node.integer ? `${context.imports.value('zod', 'integer')}()` : 'z.number()';
  const least = node.minimum === undefined ? '' : `.gte(${String(node.minimum)})`;
  const most = node.maximum === undefined ? '' : `.lte(${String(node.maximum)})`;
  const above = node.exclusiveMinimum === undefined ? '' : `.gt(${String(node.exclusiveMinimum)})`;
  const below = node.exclusiveMaximum === undefined ? '' : `.lt(${String(node.exclusiveMaximum)})`;
  return base + least + most + above + below + multipleCheck(node, context);
}

/** Zod divides, which rounds. */
function multipleCheck({ multipleOf }: NumberNode, { imports }: Context): string {
  if (multipleOf === undefined) return '';
  const message = quoted(`Invalid number: must be a multiple of ${String(multipleOf)}`);
  const multiple = imports.value('values', 'multiple');
  return `.refine((value) => ${multiple}(value, ${String(multipleOf)}), ${message})`;
}

function literalOf({ values }: LiteralNode): Code {
  if (values.length === 0) return 'z.never()';
  const written = values.map((value) =>
    typeof value === 'string' ? quoted(value) : JSON.stringify(value),
  );
  if (written.length === 1) return call('z.literal', written);
  const strings = values.every((value) => typeof value === 'string');
  return hug(strings ? 'z.enum' : 'z.literal', [list(written)]);
}

function arrayOf(node: ArrayNode, context: Context): Code {
  const unique = node.uniqueItems
    ? `.refine(${context.imports.value('values', 'distinct')}, 'Invalid array: items must be unique')`
    : '';
  if (node.prefix) return [tupleOf(node.items, node.prefix, context), unique];
  const items = call('z.array', [expressionOf(node.items, context)]);
  const limits = [
    ...lengthLimit('atLeast', node.minItems, context),
    ...lengthLimit('atMost', node.maxItems, context),
  ];
  return [items, limits.length === 0 ? '' : `.check(${limits.join(', ')})`, unique];
}

function lengthLimit(name: 'atLeast' | 'atMost', items: number | undefined, { imports }: Context) {
  return items === undefined ? [] : [`${imports.value('zod', name)}(${String(items)})`];
}

/** Items that `maxItems` leaves no room for are left to who checks the rest. */
function tupleOf(items: Node, prefix: readonly Node[], context: Context): Code {
  const first = list(prefix.map((each) => expressionOf(each, context)));
  return call('z.tuple', items.kind === 'never' ? [first] : [first, expressionOf(items, context)]);
}

function objectOf({ properties, additional }: ObjectNode, context: Context): Code {
  const shape = block(properties.map((property) => entryOf(property, context)));
  switch (additional.kind) {
    case 'closed':
      return hug(context.imports.value('zod', 'strict'), [shape]);
    case 'typed':
      return hug(context.imports.value('zod', 'record'), [
        expressionOf(additional.node, context),
        shape,
      ]);
    case 'unsaid':
    case 'open':
      return hug(context.imports.value('zod', 'loose'), [shape]);
  }
}

function entryOf({ name, required, node }: Property, context: Context): Code {
  const schema = expressionOf(node, context);
  return [key(name), ': ', required ? schema : call('z.exactOptional', [schema])];
}

function unionOf(node: UnionNode, context: Context): Code {
  const members = list(node.members.map((member) => expressionOf(member, context)));
  const property = discriminatorIn(node, context);
  if (property !== undefined)
    return hug(context.imports.value('zod', 'discriminated'), [quoted(property), members]);
  // Issues of other members are at the place of the union anyway.
  const isComposite = node.members.some(({ kind }) => COMPOSITE.has(kind));
  return hug(isComposite ? context.imports.value('zod', 'union') : 'z.union', [members]);
}

/** The property by which Zod tells the members of a union apart. */
export function discriminatorIn(
  { members, discriminator }: UnionNode,
  { discriminates }: Context,
): string | undefined {
  const property = discriminator?.property;
  if (property === undefined) return undefined;
  return members.every((each) => discriminates(each, property)) ? property : undefined;
}

const COMPOSITE: ReadonlySet<Node['kind']> = new Set<Node['kind']>([
  ...(['array', 'intersection', 'object', 'ref', 'union'] as const),
]);
