import type { Node, ObjectNode, Property } from '../../../json-schema/index.js';
import { quoted } from '../format/layout.js';
import type { TwoWays } from './array.js';
import { MOST_OPERANDS, negate, parameter } from './code.js';
import { pascalCase, pathName } from './identifiers.js';
import type { Plan } from './plan.js';
import type { Scope } from './scope.js';
import { constantOf } from './simplify.js';

/** What is the same for objects that are read by property and by key. */

type PatternRule = NonNullable<ObjectNode['patterns']>[number];

/** What the check of an object needs from the checks of other nodes. */
export interface ObjectContext {
  /** The check of a node as an expression of the value `value`. */
  readonly expression: (node: Node, value: string, path: string) => string;
  /** Statements that refuse a node, which the variable `p` is, if they belong in this place. */
  readonly inlined: (node: Node, path: string) => string | undefined;
  readonly scope: Scope;
  readonly plan: Plan;
  /** The two checks of an object that is read in two ways, as expressions of the value `value`. */
  readonly twoWays: (node: ObjectNode, value: string, path: string) => TwoWays | undefined;
  /** Writes another check of the same node, and returns its name. */
  readonly second: (node: Node, path: string, body: string) => string;
}

/** The value of a property of `v`. */
export function readProperty(name: string, scope: Scope): string {
  if (INHERITED.has(name)) return `${scope.value('check', 'ownMember')}(v, ${quoted(name)})`;
  return `v[${quoted(name)}]`;
}

/** Names that every object inherits, so that only an own property counts. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

export const isLimitedOption = ({ required, node }: Property): boolean =>
  !required && constantOf(node) !== true;

export const isFree = (property: Property): boolean =>
  !property.required && !isLimitedOption(property);

/** Whether the rules of patterns, or else of the other keys, count for a property, since no name lists it. */
export const isLeftToOthers = ({ unlisted }: Property, node: ObjectNode): boolean =>
  unlisted === true && node.patterns !== undefined && limitsOthers(node);

export const limitsOthers = ({ additional }: ObjectNode): boolean =>
  additional.kind === 'typed' || additional.kind === 'closed';

/** That `v` is an object: written out, because the engine inlines calls up to a limit, and this is in every check. */
export function objectRules(scope: Scope): string[] {
  return ["typeof v === 'object'", 'v !== null', `!${scope.value('check', 'list')}(v)`];
}

/** A loop over the keys of `v`. */
export function forEachKey(code: string): string {
  return `  for (const ${parameter('key', code)} in v) {\n${code}  }\n`;
}

/** The check of a property's value. */
export function check(
  { name, node }: Property,
  value: string,
  path: string,
  { expression }: ObjectContext,
): string {
  return expression(node, value, pathName(path, pascalCase(name)));
}

/** The conditions on the number of keys. */
export function sizeLimits({ minProperties, maxProperties }: ObjectNode, scope: Scope): string[] {
  const size = (): string => `${scope.value('values', 'size')}(v)`;
  return [
    ...(minProperties ? [`${size()} >= ${minProperties}`] : []),
    ...(maxProperties === undefined ? [] : [`${size()} <= ${maxProperties}`]),
  ];
}

/** The rules for all keys: their names, and their values by patterns. */
export function keyRules(node: ObjectNode, path: string, context: ObjectContext): string {
  const { expression, scope } = context;
  const { names: rule, patterns = [] } = node;
  const lines: string[] = [];
  if (rule) {
    lines.push(
      `    if (${negate(expression(rule, 'key', pathName(path, 'Name')))}) return false;\n`,
    );
  }
  const asksOthers = limitsOthers(node);
  if (patterns.length > MOST_OPERANDS) {
    const all = patterns.map(({ pattern }) => scope.pattern(pattern)).join(', ');
    if (asksOthers) lines.push(`    const other = ![${all}].some((each) => each.test(key));\n`);
    return lines.join('');
  }
  if (patterns.length > 0 && asksOthers) lines.push('    let other = true;\n');
  patterns.forEach((each, index) => {
    lines.push(patternRule(each, pathName(path, `Pattern${index + 1}`), asksOthers, context));
  });
  return lines.join('');
}

/** The rule for the value of a key that a pattern matches. */
function patternRule(
  { pattern, node }: PatternRule,
  path: string,
  notes: boolean,
  { expression, scope }: ObjectContext,
): string {
  const constant = constantOf(node);
  if (constant === true && !notes) return '';
  const matches = expression(node, 'v[key]', path);
  return [
    `    if (${scope.pattern(pattern)}.test(key)) {\n`,
    notes ? '      other = false;\n' : '',
    constant === true ? '' : `      if (${negate(matches)}) return false;\n`,
    '    }\n',
  ].join('');
}

/** Where there are too many patterns for one function: calls of functions that each check some of them. */
export function patternGroups(node: ObjectNode, path: string, context: ObjectContext): string[] {
  const { patterns = [] } = node;
  if (patterns.length <= MOST_OPERANDS) return [];
  const calls: string[] = [];
  for (let start = 0; start < patterns.length; start += MOST_OPERANDS) {
    const rules = patterns
      .slice(start, start + MOST_OPERANDS)
      .map((each, index) =>
        patternRule(each, pathName(path, `Pattern${start + index + 1}`), false, context),
      );
    const code = rules.join('');
    if (code === '') continue;
    const name = pathName(path, `Patterns${start + 1}`);
    const check = context.second(node, name, `${forEachKey(code)}  return true;\n`);
    calls.push(`${check}(v${context.plan.needsContext(node) ? ', c' : ''})`);
  }
  return calls;
}
