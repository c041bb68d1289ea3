import type { ObjectNode, Property } from '../../../json-schema/index.js';
import { refuseUnless } from './code.js';
import { pascalCase, pathName } from './identifiers.js';
import {
  check,
  forEachKey,
  isLimitedOption,
  keyRules,
  objectRules,
  patternGroups,
  readProperty,
  sizeLimits,
} from './object-rules.js';
import type { ObjectContext } from './object-rules.js';
import { constantOf } from './simplify.js';

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
