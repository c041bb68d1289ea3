import type { Node, ObjectNode, Property } from '../../../json-schema/index.js';
import { quoted } from '../format/layout.js';
import { negate, refuseUnless } from './code.js';
import { pathName } from './identifiers.js';
import {
  check,
  forEachKey,
  isFree,
  isLeftToOthers,
  keyRules,
  limitsOthers,
  patternGroups,
  sizeLimits,
} from './object-rules.js';
import type { ObjectContext } from './object-rules.js';
import { constantOf } from './simplify.js';

/** Reads the keys that are there. */
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
    `    switch (${keyOf(node)}) {\n${[...known, ...others].join('')}    }\n`,
  ].join('');
}

/** Not narrowed to the names that `propertyNames` lists, because the compiler refuses the cases of other names then. */
function keyOf({ names }: ObjectNode): string {
  return names === undefined || names.kind === 'string' ? 'key' : 'key as string';
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
