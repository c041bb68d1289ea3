import type { ArrayNode, Contains, Node } from '../model.js';
import { isBefore } from './drafts.js';
import type { At, Reader } from './reader.js';
import type { SchemaProblem } from './report.js';
import { GROUPS } from './keywords.js';
import type { Values } from './values.js';

/** The arrays of a schema. Before 2020-12, `prefixItems` is called `items`, and `items` `additionalItems`. */
export function arrayNode(own: Values, at: At, reader: Reader): Node {
  if (!own.speaksOf(GROUPS.array)) return { kind: 'array', items: { kind: 'any' } };
  const lists = Array.isArray(own.value('items'));
  const before2020 = isBefore(at.place.resource.draft, '2020-12');
  const listing = before2020 ? (lists ? 'items' : undefined) : 'prefixItems';
  if (lists && !before2020) reader.report(ONE_SCHEMA, at.place, 'items');
  const following = before2020 && lists ? 'additionalItems' : 'items';
  const prefix = listing === undefined ? [] : prefixOf(listing, own, at, reader);
  const isUnclear = (following === 'items' && lists) || own.lost('prefixItems');
  const written = own.has(following) && !isUnclear;
  const items: Node = written ? reader.below(at, following) : { kind: 'any' };
  return {
    kind: 'array',
    items,
    ...(prefix.length > 0 && { prefix }),
    ...own.numbers('minItems', 'maxItems'),
    ...(own.value('uniqueItems') === true && { uniqueItems: true }),
    ...containsOf(own, at, reader),
    ...(written && items.kind === 'any' && { openItems: true }),
  };
}

const ONE_SCHEMA: SchemaProblem = {
  code: 'malformed-keyword',
  message: '"items" must be a schema.',
  help: 'A list of schemas is "prefixItems" in 2020-12.',
};

function prefixOf(listing: string, own: Values, at: At, reader: Reader): Node[] {
  const written = own.value(listing);
  return Array.isArray(written) ? written.map((_, index) => reader.below(at, listing, index)) : [];
}

function containsOf(own: Values, at: At, reader: Reader): Pick<ArrayNode, 'contains'> {
  if (!own.has('contains')) return {};
  const { minContains: min = own.lost('minContains') ? 0 : 1, maxContains: max } = own.numbers(
    'minContains',
    'maxContains',
  );
  const contains: Contains = {
    node: reader.below(at, 'contains'),
    min,
    ...(max !== undefined && { max }),
    evaluates: at.place.resource.draft === '2020-12',
  };
  return { contains };
}
