import { SchemaFault } from './fault.js';
import { eachSchema } from './keywords.js';
import { at, pointerPart } from './pointers.js';

/** Where a schema without `$id` is. Nothing is ever read from there. */
const NOWHERE = 'https://schema.invalid/';

interface Reference {
  readonly place: string;
  readonly base: string;
  readonly target: string;
}

/**
 * Clients must not fetch what a schema refers to, so it has to contain it.
 *
 * @throws {SchemaFault} for a reference that leads out of the schema, or to nothing.
 */
export function assertReferences(root: Record<string, unknown>): void {
  const bases = new Map<string, string>();
  const resources = new Map<string, unknown>([[NOWHERE, root]]);
  const anchors = new Set<string>();
  const references: Reference[] = [];

  eachSchema(root, (schema, place) => {
    const outer = baseAround(bases, place);
    const { $id: id } = schema;
    const base = typeof id === 'string' ? (resolved(id, outer) ?? outer) : outer;
    const [resource = base, fragment] = base.split('#');
    // In draft-07 an `$id` of `#name` is what `$anchor` is later.
    if (fragment) anchors.add(base);
    else if (resource !== outer || place === '') resources.set(resource, schema);
    if (resource !== outer || place === '') bases.set(place, resource);
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = schema[keyword];
      if (typeof name === 'string') anchors.add(`${resource}#${name}`);
    }
    for (const keyword of ['$ref', '$dynamicRef']) {
      const target = schema[keyword];
      const at = place + pointerPart(keyword);
      if (typeof target === 'string') references.push({ place: at, base: resource, target });
    }
  });
  for (const reference of references) assertFound(reference, resources, anchors);
}

function assertFound(
  { place, base, target }: Reference,
  resources: ReadonlyMap<string, unknown>,
  anchors: ReadonlySet<string>,
): void {
  const uri = resolved(target, base);
  if (uri !== undefined && anchors.has(uri)) return;
  const [resource = '', fragment = ''] = uri?.split('#') ?? [];
  if (!resources.has(resource)) {
    throw new SchemaFault(
      place,
      `it refers to another document, ${target.slice(0, 200)}`,
      'copy that into `$defs`, and refer to it as #/$defs/…',
    );
  }
  if (fragment === '' || at(resources.get(resource), fragment) !== undefined) return;
  throw new SchemaFault(
    place,
    `it refers to ${target.slice(0, 200)}, which the schema does not contain`,
    'correct the reference, or add what it names',
  );
}

/** The base of references in the schema at a place: the `$id` of the innermost schema around it. */
function baseAround(bases: ReadonlyMap<string, string>, place: string): string {
  for (let around = place; ; around = around.slice(0, around.lastIndexOf('/'))) {
    const base = bases.get(around);
    if (base !== undefined) return base;
    if (around === '') return NOWHERE;
  }
}

function resolved(uri: string, base: string): string | undefined {
  try {
    return new URL(uri, base).href.replace(/#$/, '');
  } catch {
    return undefined;
  }
}

/** Makes references of a schema into itself lead `to` its new place. Those inside a schema with `$id` are relative to that. */
export function moveReferences(root: Record<string, unknown>, to: string): void {
  const resources: string[] = [];
  eachSchema(root, (schema, place) => {
    if (typeof schema['$id'] === 'string') resources.push(`${place}/`);
    if (resources.some((resource) => `${place}/`.startsWith(resource))) return;
    for (const keyword of ['$ref', '$dynamicRef']) {
      const target = schema[keyword];
      if (target === '#') schema[keyword] = to;
      else if (typeof target === 'string' && target.startsWith('#/')) {
        schema[keyword] = to + target.slice(1);
      }
    }
    moveRecursion(schema, to);
  });
}

/** `$recursiveRef` of 2019-09 leads to the root of a document alone. */
function moveRecursion(schema: Record<string, unknown>, to: string): void {
  if (schema['$recursiveRef'] !== '#') return;
  delete schema['$recursiveRef'];
  const { $ref, allOf } = schema;
  if ($ref === undefined) schema['$ref'] = to;
  else schema['allOf'] = [...(Array.isArray(allOf) ? (allOf as unknown[]) : []), { $ref: to }];
}

/** Whether a schema refers to its root, and so to what is added there. */
export function refersToRoot(root: Record<string, unknown>): boolean {
  let refers = false;
  eachSchema(root, (schema) => {
    const targets = [schema['$ref'], schema['$dynamicRef'], schema['$recursiveRef']];
    const isRoot = (target: unknown): boolean =>
      typeof target === 'string' && !target.startsWith('#/');
    refers ||= targets.some(isRoot);
  });
  return refers;
}
