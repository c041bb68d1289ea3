import type { ObjectNode } from '../../../json-schema/index.js';
import { MOST_OPERANDS } from './code.js';
import { keyBody } from './object-by-key.js';
import { propertyBody } from './object-by-property.js';
import { isLimitedOption, limitsOthers } from './object-rules.js';
import type { ObjectContext } from './object-rules.js';
import type { Plan, Reading } from './plan.js';

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
