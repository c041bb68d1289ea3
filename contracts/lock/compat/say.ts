import {
  type ArrayNode,
  type JsonPrimitive,
  mapNode,
  type Node,
  type ObjectNode,
  type Property,
} from '../../../json-schema/index.js';
import { quote } from '../../../json-schema/text.js';
import type { Difference } from '../../../json-schema/witness/index.js';
import { ownName } from '../../../json-schema/compare/joined.js';
import { sayAdditional, sayNode as say } from '../../../generator/diff/index.js';

/** What changed at a place: a clause. */
export function sayChange({ change }: Difference): string {
  switch (change.kind) {
    case 'node':
      return sayNodes(change.before, change.after);
    case 'items':
      return sayArrayRules(change.before, change.after);
    case 'keys':
      return sayObjectRules(change.before, change.after);
    case 'property':
      return sayProperty(change.name, change.before, change.after);
  }
}

function sayProperty(name: string, was: Property | undefined, is: Property | undefined): string {
  const shown = quote(name);
  if (!was)
    return `the property ${shown} is new, and ${is?.required === true ? 'required' : 'optional'}`;
  if (!is) return `the property ${shown} is gone`;
  return is.required
    ? `the property ${shown} is required now`
    : `the property ${shown} may be missing now`;
}

/** With the names that the schema itself has. */
function sayNode(node: Node): string {
  return say(
    mapNode(node, (part) => (part.kind === 'ref' ? { ...part, name: ownName(part.name) } : part)),
  );
}

function sayNodes(before: Node, after: Node): string {
  if (before.kind === 'literal' && after.kind === 'literal') {
    const gone = before.values.filter((value) => !after.values.includes(value));
    const added = after.values.filter((value) => !before.values.includes(value));
    return [sayValues('no longer', gone), sayValues('new:', added)]
      .filter((part) => part !== '')
      .join('; ');
  }
  const [was, is] = [sayNode(before), sayNode(after)];
  return was === is ? `${was}, with other rules` : `${was} → ${is}`;
}

const SHOWN = 10;

function sayValues(what: string, values: readonly JsonPrimitive[]): string {
  if (values.length === 0) return '';
  const shown = values
    .slice(0, SHOWN)
    .map((value) => (typeof value === 'string' ? quote(value) : String(value)));
  const more = values.length > SHOWN ? ` and ${String(values.length - SHOWN)} more` : '';
  return `${what} ${shown.join(', ')}${more}`;
}

function sayArrayRules(before: ArrayNode, after: ArrayNode): string {
  const rules = ({ minItems = 0, maxItems, uniqueItems, contains }: ArrayNode) => ({
    'at least': String(minItems),
    'at most': maxItems === undefined ? 'any number of' : String(maxItems),
    unique: uniqueItems === true ? 'yes' : 'no',
    contains: contains ? `${String(contains.min)} of ${sayNode(contains.node)}` : 'anything',
  });
  return `items: ${sayRules(rules(before), rules(after))}`;
}

function sayObjectRules(before: ObjectNode, after: ObjectNode): string {
  const rules = ({
    additional,
    patterns = [],
    names,
    minProperties,
    maxProperties,
  }: ObjectNode) => ({
    values: additional.kind === 'unsaid' ? 'anything' : sayAdditional(additional),
    patterns: patterns.map(({ pattern }) => quote(pattern)).join(', ') || 'none',
    names: names ? sayNode(names) : 'any',
    'at least': String(minProperties ?? 0),
    'at most': maxProperties === undefined ? 'any number' : String(maxProperties),
  });
  return `other keys: ${sayRules(rules(before), rules(after))}`;
}

/** `at least 1 → 2`, of those that differ. */
function sayRules(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string {
  const changed = Object.entries(before).filter(([rule, was]) => after[rule] !== was);
  return (
    changed.map(([rule, was]) => `${rule} ${was} → ${after[rule] ?? ''}`).join('; ') ||
    'other rules'
  );
}
