import type { Node, ObjectNode, Property } from '../../ir/index.js';
import { quoted } from '../../format/layout.js';
import { negate, refuseUnless, returns } from './code.js';
import { pascalCase, pathName } from './identifiers.js';
import type { Plan } from './plan.js';
import type { Scope } from './scope.js';
import { constantOf } from './simplify.js';

/** What the check of an object needs from the checks of other nodes. */
export interface ObjectContext {
  /** The check of a node as an expression of the value `value`. */
  readonly expression: (node: Node, value: string, path: string) => string;
  readonly scope: Scope;
  readonly plan: Plan;
  /** The name of a constant that notes the objects of this place. */
  readonly seen: (path: string) => string;
}

/**
 * An object with this many optional properties is read key by key. To read a property that an object lacks
 * is slow once the engine has seen objects of many shapes; a loop only meets what is there. What a message
 * contains once has fewer shapes than the items of lists.
 */
const BY_KEY = { once: 4, repeated: 2 };

/**
 * The items of a list with this many optional properties are read by property as well, while they have few
 * shapes, because large lists take most of the time of all messages.
 */
const BOTH_WAYS = 6;

/** The body of a check of an object, which the parameter `v` is. */
export function objectBody(node: ObjectNode, path: string, context: ObjectContext): string {
  const { plan } = context;
  if (limitsOthers(node)) return byKey(node, path, context);
  const optional = node.properties.filter(isLimitedOption).length;
  const isSimple = !node.patterns && !node.names && sizeLimits(node, context.scope).length === 0;
  if (optional >= BOTH_WAYS && plan.isItem(node) && isSimple) return bothWays(node, path, context);
  const enough = BY_KEY[plan.isRepeated(node) ? 'repeated' : 'once'];
  return optional >= enough ? byKey(node, path, context) : byProperty(node, path, context);
}

/** By property while the objects of this place have few shapes, then key by key. */
function bothWays(node: ObjectNode, path: string, context: ObjectContext): string {
  const few = `${context.scope.value('check', 'alike')}(${context.seen(path)}, v)`;
  const [isRecord = '', ...others] = propertyRules(node, path, context);
  return [
    refuseUnless([isRecord]),
    `  if (${few}) {\n${returns(others, '&&').replaceAll(/^/gm, '  ').trimEnd()}\n  }\n`,
    keyLoop(node, path, context),
  ].join('');
}

/** The value of a property of `v`. */
export function readProperty(name: string, scope: Scope): string {
  if (INHERITED.has(name)) return `${scope.value('check', 'ownMember')}(v, ${quoted(name)})`;
  return `v[${quoted(name)}]`;
}

/** Names that every object inherits, so that only an own property counts. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

const isLimitedOption = ({ required, node }: Property): boolean =>
  !required && constantOf(node) !== true;

const isFree = (property: Property): boolean => !property.required && !isLimitedOption(property);

/** Whether the rules of patterns, or else of the other keys, count for a property, since no name lists it. */
const isLeftToOthers = ({ unlisted }: Property, node: ObjectNode): boolean =>
  unlisted === true && node.patterns !== undefined && limitsOthers(node);

const limitsOthers = ({ additional }: ObjectNode): boolean =>
  additional.kind === 'typed' || additional.kind === 'closed';

/** Reads one property after the other. */
function byProperty(node: ObjectNode, path: string, context: ObjectContext): string {
  const good = propertyRules(node, path, context);
  const everyKey = keyRules(node, path, context);
  if (everyKey === '') return returns(good, '&&');
  return `${refuseUnless(good)}  for (const key in v) {\n${everyKey}  }\n  return true;\n`;
}

/** The conditions of an object and of its named properties, those with literals first. */
function propertyRules(node: ObjectNode, path: string, context: ObjectContext): string[] {
  const { scope } = context;
  const required = node.properties.filter((property) => property.required);
  const literalsFirst = [
    ...required.filter((each) => each.node.kind === 'literal'),
    ...required.filter((each) => each.node.kind !== 'literal'),
  ];
  return [
    `${scope.value('check', 'record')}(v)`,
    ...literalsFirst.map((property) => {
      const value = readProperty(property.name, scope);
      return property.node.kind === 'any'
        ? `${value} !== undefined`
        : check(property, value, path, context);
    }),
    ...sizeLimits(node, scope),
    ...node.properties.filter(isLimitedOption).map((property) => {
      const value = readProperty(property.name, scope);
      return `(${value} === undefined || ${check(property, value, path, context)})`;
    }),
  ];
}

function byKey(node: ObjectNode, path: string, context: ObjectContext): string {
  const { scope } = context;
  const good = [`${scope.value('check', 'record')}(v)`, ...sizeLimits(node, scope)];
  return refuseUnless(good) + keyLoop(node, path, context);
}

/** Reads the properties that are there, and counts the required ones. */
function keyLoop(node: ObjectNode, path: string, context: ObjectContext): string {
  const count = node.properties.filter((property) => property.required).length;
  return [
    count > 0 ? '  let n = 0;\n' : '',
    '  for (const key in v) {\n',
    ...node.properties
      .filter((each) => each.required && isLeftToOthers(each, node))
      .map(({ name }) => `    if (key === ${quoted(name)} && v[key] !== undefined) n++;\n`),
    keyRules(node, path, context),
    valueRules(node, path, context),
    '  }\n',
    `  return ${count > 0 ? `n === ${count}` : 'true'};\n`,
  ].join('');
}

function check(
  { name, node }: Property,
  value: string,
  path: string,
  { expression }: ObjectContext,
): string {
  return expression(node, value, pathName(path, pascalCase(name)));
}

function sizeLimits({ minProperties, maxProperties }: ObjectNode, scope: Scope): string[] {
  const size = (): string => `${scope.value('values', 'size')}(v)`;
  return [
    ...(minProperties ? [`${size()} >= ${minProperties}`] : []),
    ...(maxProperties === undefined ? [] : [`${size()} <= ${maxProperties}`]),
  ];
}

/** The rules for all keys: their names, and their values by patterns. */
function keyRules(node: ObjectNode, path: string, { expression, scope }: ObjectContext): string {
  const { names: rule, patterns = [] } = node;
  const lines: string[] = [];
  if (rule) {
    lines.push(
      `    if (${negate(expression(rule, 'key', pathName(path, 'Name')))}) return false;\n`,
    );
  }
  const asksOthers = limitsOthers(node);
  if (patterns.length > 0 && asksOthers) lines.push('    let other = true;\n');
  patterns.forEach(({ pattern, node: value }, index) => {
    const constant = constantOf(value);
    if (constant === true && !asksOthers) return;
    const matches = expression(value, 'v[key]', pathName(path, `Pattern${index + 1}`));
    lines.push(
      `    if (${scope.pattern(pattern)}.test(key)) {\n`,
      ...(asksOthers ? ['      other = false;\n'] : []),
      ...(constant === true ? [] : [`      if (${negate(matches)}) return false;\n`]),
      '    }\n',
    );
  });
  return lines.join('');
}

/** The rules for the values of a key, by its name. */
function valueRules(node: ObjectNode, path: string, context: ObjectContext): string {
  const { properties, additional, patterns } = node;
  if (properties.length === 0 && additional.kind === 'typed' && !patterns) {
    const value = context.expression(additional.node, 'v[key]', pathName(path, 'Value'));
    return `    if (${negate(value)}) return false;\n`;
  }
  const strict = limitsOthers(node);
  const known = cases(node, strict, path, context);
  const others = strict ? otherKeys(node, path, context) : [];
  const reads = known.length > 0 || constantOf(remainder(node)) === undefined;
  return [
    reads ? '    const p = v[key];\n' : '',
    // Absent and undefined are the same, except for the keys that nothing names.
    strict ? '' : '    if (p === undefined) continue;\n',
    `    switch (key) {\n${[...known, ...others].join('')}    }\n`,
  ].join('');
}

/** A case for each named property; properties with the same rule share one. */
function cases(node: ObjectNode, strict: boolean, path: string, context: ObjectContext): string[] {
  const byRule = new Map<string, string[]>();
  for (const property of node.properties) {
    if (isFree(property) || isLeftToOthers(property, node)) continue;
    const rule = ruleOf(property, strict, path, context);
    const names = byRule.get(rule);
    if (names) names.push(property.name);
    else byRule.set(rule, [property.name]);
  }
  return [...byRule].map(([rule, keys]) =>
    [...keys.map((key) => `      case ${quoted(key)}:\n`), rule].join(''),
  );
}

function ruleOf(property: Property, strict: boolean, path: string, context: ObjectContext): string {
  const refused =
    property.node.kind === 'any' ? 'false' : negate(check(property, 'p', path, context));
  const lines = property.required
    ? [refusal(refused), refused === 'false' && strict ? 'if (p !== undefined) n++;' : 'n++;']
    : [refusal(strict ? given(refused) : refused)];
  if (lines[0] !== 'return false;') lines.push('break;');
  else lines.length = 1;
  return lines.map((line) => (line === '' ? '' : `        ${line}\n`)).join('');
}

const given = (refused: string): string =>
  refused === 'true' ? 'p !== undefined' : `p !== undefined && ${refused}`;

function refusal(condition: string): string {
  if (condition === 'false') return '';
  return condition === 'true' ? 'return false;' : `if (${condition}) return false;`;
}

function otherKeys(node: ObjectNode, path: string, { expression }: ObjectContext): string[] {
  const { properties, patterns } = node;
  const free = properties.filter((each) => isFree(each) && !isLeftToOthers(each, node));
  const rule = negate(expression(remainder(node), 'p', pathName(path, 'Value')));
  const refused = refusal(rule);
  return [
    ...free.map(({ name }) => `      case ${quoted(name)}:\n`),
    ...(free.length > 0 ? ['        break;\n'] : []),
    '      default:\n',
    patterns ? `        if (other) {\n          ${refused}\n        }\n` : `        ${refused}\n`,
  ];
}

/** The check of the values of unnamed keys. */
function remainder({ additional }: ObjectNode): Node {
  if (additional.kind === 'typed') return additional.node;
  return { kind: additional.kind === 'closed' ? 'never' : 'any' };
}
