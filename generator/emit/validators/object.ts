import type { Node, ObjectNode, Property } from '../../ir/index.js';
import { quoted } from '../../format/layout.js';
import { MOST_OPERANDS, negate, parameter, refuseUnless, returns } from './code.js';
import { pascalCase, pathName } from './identifiers.js';
import type { Plan } from './plan.js';
import type { Scope } from './scope.js';
import { constantOf } from './simplify.js';

type PatternRule = NonNullable<ObjectNode['patterns']>[number];

/** What the check of an object needs from the checks of other nodes. */
export interface ObjectContext {
  /** The check of a node as an expression of the value `value`. */
  readonly expression: (node: Node, value: string, path: string) => string;
  readonly scope: Scope;
  readonly plan: Plan;
  /** The name of a constant that notes the objects of this place. */
  readonly seen: (path: string) => string;
  /** Writes another check of the same node, and returns its name. */
  readonly second: (node: Node, path: string, body: string) => string;
}

/** The body of a check of an object, which the parameter `v` is. */
export function objectBody(node: ObjectNode, path: string, context: ObjectContext): string {
  const { plan } = context;
  if (limitsOthers(node) || node.properties.length > MOST_OPERANDS) {
    return byKey(node, path, context);
  }
  const optional = node.properties.filter(isLimitedOption).length;
  if (optional < plan.byKey) return byProperty(node, path, context);
  const isSimple = !node.patterns && !node.names && sizeLimits(node, context.scope).length === 0;
  return plan.isItem(node) && isSimple ? bothWays(node, path, context) : byKey(node, path, context);
}

/**
 * By property while the objects of this place have few shapes, then by a second function. For the items of lists,
 * because large lists take most of the time of all messages.
 */
function bothWays(node: ObjectNode, path: string, context: ObjectContext): string {
  const { scope, plan, seen, second } = context;
  const name = second(node, pathName(path, 'ByKey'), keyLoop(node, path, context));
  const few = `${scope.value('check', 'alike')}(${seen(path)}, v)`;
  const good = propertyRules(node, path, context);
  return [
    refuseUnless(objectRules(scope)),
    `  if (!${few}) return ${name}(v${plan.needsContext(node) ? ', c' : ''});\n`,
    variable(node, context),
    returns(good, '&&'),
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
  const good = [
    ...objectRules(context.scope),
    ...propertyRules(node, path, context),
    ...patternGroups(node, path, context),
  ];
  const everyKey = keyRules(node, path, context);
  const code =
    everyKey === ''
      ? returns(good, '&&')
      : `${refuseUnless(good)}${forEachKey(everyKey)}  return true;\n`;
  return variable(node, context) + code;
}

/** The declaration of the variable that the conditions of the properties use. */
function variable({ properties }: ObjectNode, { plan }: ObjectContext): string {
  const isUsed = properties
    .filter(({ node }) => constantOf(node) === undefined)
    .some((each) => !each.required || plan.admitsAbsence(each.node));
  return isUsed ? '  let p: unknown;\n' : '';
}

/** That `v` is an object: written out, because the engine inlines calls up to a limit, and this is in every check. */
function objectRules(scope: Scope): string[] {
  return ["typeof v === 'object'", 'v !== null', `!${scope.value('check', 'list')}(v)`];
}

/**
 * The conditions of the named properties, those with literals first. Optional ones are read once, because each
 * reading is slow where objects have many shapes.
 */
function propertyRules(node: ObjectNode, path: string, context: ObjectContext): string[] {
  const { scope, plan } = context;
  const required = node.properties.filter((property) => property.required);
  const literalsFirst = [
    ...required.filter((each) => each.node.kind === 'literal'),
    ...required.filter((each) => each.node.kind !== 'literal'),
  ];
  return [
    ...literalsFirst.map((property) => {
      const value = readProperty(property.name, scope);
      if (constantOf(property.node) === true) return `${value} !== undefined`;
      if (!plan.admitsAbsence(property.node)) return check(property, value, path, context);
      return `(p = ${value}) !== undefined && ${check(property, 'p', path, context)}`;
    }),
    ...sizeLimits(node, scope),
    ...node.properties.filter(isLimitedOption).map((property) => {
      const value = readProperty(property.name, scope);
      if (constantOf(property.node) === false) return `${value} === undefined`;
      return `((p = ${value}) === undefined || ${check(property, 'p', path, context)})`;
    }),
  ];
}

function byKey(node: ObjectNode, path: string, context: ObjectContext): string {
  const { scope } = context;
  const good = [
    ...objectRules(scope),
    ...sizeLimits(node, scope),
    ...patternGroups(node, path, context),
  ];
  return refuseUnless(good) + keyLoop(node, path, context);
}

/** Reads the properties that are there, and counts the required ones. */
function keyLoop(node: ObjectNode, path: string, context: ObjectContext): string {
  const count = node.properties.filter((property) => property.required).length;
  const rules = [
    ...node.properties
      .filter((each) => each.required && isLeftToOthers(each, node))
      .map(({ name }) => `    if (key === ${quoted(name)} && v[key] !== undefined) n++;\n`),
    keyRules(node, path, context),
    valueRules(node, path, context),
  ];
  return [
    count > 0 ? '  let n = 0;\n' : '',
    forEachKey(rules.join('')),
    `  return ${count > 0 ? `n === ${count}` : 'true'};\n`,
  ].join('');
}

function forEachKey(code: string): string {
  return `  for (const ${parameter('key', code)} in v) {\n${code}  }\n`;
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
function keyRules(node: ObjectNode, path: string, context: ObjectContext): string {
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
function patternGroups(node: ObjectNode, path: string, context: ObjectContext): string[] {
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

/** The rules for the values of a key, by its name. */
function valueRules(node: ObjectNode, path: string, context: ObjectContext): string {
  const { properties, additional, patterns } = node;
  if (properties.length === 0 && additional.kind === 'typed' && !patterns) {
    const value = context.expression(additional.node, 'v[key]', pathName(path, 'Value'));
    return `    if (${negate(value)}) return false;\n`;
  }
  const strict = limitsOthers(node);
  const known = cases(node, path, context);
  const others = strict ? otherKeys(node, path, context) : [];
  const reads = known.length > 0 || constantOf(remainder(node)) === undefined;
  return [
    reads ? '    const p = v[key];\n' : '',
    `    switch (key) {\n${[...known, ...others].join('')}    }\n`,
  ].join('');
}

/** A case for each named property, the required ones first; properties with the same rule share one. */
function cases(node: ObjectNode, path: string, context: ObjectContext): string[] {
  const byRule = new Map<string, string[]>();
  const required = node.properties.filter((property) => property.required);
  const optional = node.properties.filter((property) => !property.required);
  for (const property of [...required, ...optional]) {
    if (isFree(property) || isLeftToOthers(property, node)) continue;
    const rule = ruleOf(property, path, context);
    const names = byRule.get(rule);
    if (names) names.push(property.name);
    else byRule.set(rule, [property.name]);
  }
  return [...byRule].map(([rule, keys]) =>
    [...keys.map((key) => `      case ${quoted(key)}:\n`), rule].join(''),
  );
}

/** Absent and undefined are the same. A valid value does not wait for that test, which comes last. */
function ruleOf(property: Property, path: string, context: ObjectContext): string {
  const { required, node } = property;
  const refused = constantOf(node) === true ? 'false' : negate(check(property, 'p', path, context));
  if (!required) {
    if (refused === 'true') return '        if (p !== undefined) return false;\n        break;\n';
    return `        if (${refused} && p !== undefined) return false;\n        break;\n`;
  }
  if (refused === 'true') return '        return false;\n';
  const counts = context.plan.admitsAbsence(node) ? 'if (p !== undefined) n++;' : 'n++;';
  const refuses = refused === 'false' ? '' : `        if (${refused}) return false;\n`;
  return `${refuses}        ${counts}\n        break;\n`;
}

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
