import type { Node, ObjectNode, Property } from '../../ir/index.js';
import { quoted } from '../../format/layout.js';
import { MOST_OPERANDS, negate, parameter, refuseUnless } from './code.js';
import { pascalCase, pathName } from './identifiers.js';
import type { Plan, Reading } from './plan.js';
import type { TwoWays } from './array.js';
import type { Scope } from './scope.js';
import { constantOf } from './simplify.js';

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

/** The body of a check of an object, which the parameter `v` is. */
export function objectBody(node: ObjectNode, path: string, context: ObjectContext): string {
  const { plan } = context;
  const ways = context.twoWays(node, 'v', path);
  if (ways) {
    const few = `${context.scope.value('check', 'alike')}(${ways.seen}, v)`;
    return `  return ${few} ? ${ways.byProperty} : ${ways.byKey};\n`;
  }
  return readingOf(node, plan) === 'property'
    ? propertyBody(node, path, context)
    : keyBody(node, path, context);
}

/** How an object is read. The rules for all keys need a loop. */
export function readingOf(node: ObjectNode, plan: Plan): Reading {
  const { patterns, names, minProperties, maxProperties, properties } = node;
  if (limitsOthers(node) || properties.length > MOST_OPERANDS) return 'key';
  const reading = plan.readingOf(node, properties.filter(isLimitedOption).length);
  const isSimple = !patterns && !names && !minProperties && maxProperties === undefined;
  return reading === 'both' && !isSimple ? 'key' : reading;
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

/** Reads one property after the other. Statements, because the engine makes a value of each expression that a function returns. */
export function propertyBody(node: ObjectNode, path: string, context: ObjectContext): string {
  const inlined = inlinedIn(node, path, context);
  const good = [
    ...objectRules(context.scope),
    ...propertyRules(node, path, context, inlined),
    ...patternGroups(node, path, context),
  ];
  const everyKey = keyRules(node, path, context);
  return [
    variable(node, context, inlined),
    refuseUnless(good),
    ...inlined.values(),
    everyKey === '' ? '' : forEachKey(everyKey),
    '  return true;\n',
  ].join('');
}

type Inlined = ReadonlyMap<Property, string>;

/** The code of the properties that are checked by statements. */
function inlinedIn(node: ObjectNode, path: string, context: ObjectContext): Inlined {
  const found = new Map<Property, string>();
  for (const property of node.properties) {
    const name = pathName(path, pascalCase(property.name));
    const code = context.inlined(property.node, name);
    if (code === undefined) continue;
    const read = `  p = ${readProperty(property.name, context.scope)};\n`;
    const present = `  if (p !== undefined) {\n${code.replaceAll(/^(?=.)/gm, '  ')}  }\n`;
    found.set(property, read + (property.required ? code : present));
  }
  return found;
}

/** The declaration of the variable that the conditions of the properties use. */
function variable({ properties }: ObjectNode, { plan }: ObjectContext, inlined: Inlined): string {
  const isUsed = properties
    .filter(({ node }) => constantOf(node) === undefined)
    .some((each) => !each.required || inlined.has(each) || plan.admitsAbsence(each.node));
  return isUsed ? '  let p: unknown;\n' : '';
}

/** That `v` is an object: written out, because the engine inlines calls up to a limit, and this is in every check. */
export function objectRules(scope: Scope): string[] {
  return ["typeof v === 'object'", 'v !== null', `!${scope.value('check', 'list')}(v)`];
}

/**
 * The conditions of the named properties, those with literals first. Optional ones are read once, because each
 * reading is slow where objects have many shapes.
 */
function propertyRules(
  node: ObjectNode,
  path: string,
  context: ObjectContext,
  inlined: Inlined,
): string[] {
  const { scope, plan } = context;
  const properties = node.properties.filter((property) => !inlined.has(property));
  const required = properties.filter((property) => property.required);
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
    ...properties.filter(isLimitedOption).map((property) => {
      const value = readProperty(property.name, scope);
      if (constantOf(property.node) === false) return `${value} === undefined`;
      return `((p = ${value}) === undefined || ${check(property, 'p', path, context)})`;
    }),
  ];
}

export function keyBody(node: ObjectNode, path: string, context: ObjectContext): string {
  const { scope } = context;
  const good = [
    `${scope.value('check', 'record')}(v)`,
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
    const value = context.expression(additional.node, 'p', pathName(path, 'Value'));
    return `    const p = v[key];\n    if (${negate(value)}) return false;\n`;
  }
  const strict = limitsOthers(node);
  const skips = !strict && node.properties.some((each) => !isFree(each));
  const known = cases(node, path, context, skips);
  const others = strict ? otherKeys(node, path, context) : [];
  const reads = known.length > 0 || constantOf(remainder(node)) === undefined;
  return [
    reads ? '    const p = v[key];\n' : '',
    skips ? '    if (p === undefined) continue;\n' : '',
    `    switch (key) {\n${[...known, ...others].join('')}    }\n`,
  ].join('');
}

/** A case for each named property, the required ones first; properties with the same rule share one. */
function cases(
  node: ObjectNode,
  path: string,
  context: ObjectContext,
  isPresent: boolean,
): string[] {
  const byRule = new Map<string, string[]>();
  const required = node.properties.filter((property) => property.required);
  const optional = node.properties.filter((property) => !property.required);
  for (const property of [...required, ...optional]) {
    if (isFree(property) || isLeftToOthers(property, node)) continue;
    const rule = ruleOf(property, path, context, isPresent);
    const names = byRule.get(rule);
    if (names) names.push(property.name);
    else byRule.set(rule, [property.name]);
  }
  return [...byRule].map(([rule, keys]) =>
    [...keys.map((key) => `      case ${quoted(key)}:\n`), rule].join(''),
  );
}

/** Absent and undefined are the same. A valid value does not wait for that test, which comes last where values may be absent. */
function ruleOf(
  property: Property,
  path: string,
  context: ObjectContext,
  isPresent: boolean,
): string {
  const { required, node } = property;
  const refused = constantOf(node) === true ? 'false' : negate(check(property, 'p', path, context));
  if (!required) {
    if (isPresent) return `        ${refusal(refused)}\n        break;\n`;
    if (refused === 'true') return '        if (p !== undefined) return false;\n        break;\n';
    return `        if (${refused} && p !== undefined) return false;\n        break;\n`;
  }
  if (refused === 'true') return '        return false;\n';
  const isCounted = !isPresent && context.plan.admitsAbsence(node);
  const counts = isCounted ? 'if (p !== undefined) n++;' : 'n++;';
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
