import { pointerParts } from '../pointer.js';
import { quote } from '../text.js';
import type { Node } from '../model.js';
import { isObject } from '../json.js';
import type { JsonObject } from '../json.js';
import { entered, lost } from './reader.js';
import type { At, Reader } from './reader.js';
import { absolute } from './resources.js';
import type { Path, Place, Resources } from './resources.js';

/** Reads a `$ref`, `$dynamicRef` or `$recursiveRef`. What it points to is not read here, so cycles are harmless. */
export function readReference(
  written: string,
  keyword: '$ref' | '$dynamicRef' | '$recursiveRef',
  at: At,
  reader: Reader,
): Node {
  const { place, scope } = at;
  const found = resolveReference(written, place, reader.resources);
  if (typeof found === 'string') {
    reader.report(PROBLEMS[found](written, place), place, keyword);
    return lost();
  }
  const target = keyword === '$ref' ? found : dynamicTarget(written, found, at);
  return reader.refer({ place: target, scope: entered(scope, target.resource) });
}

const PROBLEMS = {
  remote: (written: string) => ({
    code: 'remote-ref' as const,
    message: `${quote(written)} points to another document, which is not read.`,
    help: 'Name the document with --ref <uri>=<file>, or copy the target into this one.',
  }),
  dangling: (written: string, { path, resource }: Place) => ({
    code: 'dangling-ref' as const,
    message: `${quote(written)} points to a missing schema.`,
    help: isNested(written, path, resource.root.schema)
      ? 'Its target is nested in this definition, but "#" is the root of the document.'
      : 'Define the schema, or correct the reference.',
  }),
};

/** Whether a definition has definitions of its own, and a reference means one of these. */
function isNested(written: string, path: Path, root: JsonObject | boolean): boolean {
  const [, container, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(written) ?? [];
  let schema: unknown = root;
  return path.some((part) => {
    schema = isObject(schema) || Array.isArray(schema) ? (schema as never)[part] : undefined;
    const own = isObject(schema) ? schema[container ?? ''] : undefined;
    return isObject(own) && Object.hasOwn(own, name ?? '');
  });
}

/** The target of a reference, read from the documents that are there. */
export function resolveReference(
  written: string,
  { resource }: Place,
  resources: Resources,
): Place | keyof typeof PROBLEMS {
  const target = written.startsWith('#')
    ? resource
    : resources.find(absolute(written, resource.uri));
  if (!target) return 'remote';
  const fragment = decoded(written.split('#')[1] ?? '');
  if (fragment === undefined) return 'dangling';
  if (fragment === '') return target.root;
  const found = fragment.startsWith('/')
    ? resources.placeAt(target, pointerParts(fragment))
    : target.anchors.get(fragment);
  return found ?? 'dangling';
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** An anchor that is not dynamic makes the reference a plain one. */
function dynamicTarget(written: string, found: Place, { scope }: At): Place {
  const name = decoded(written.split('#')[1] ?? '') ?? '';
  return found.resource.dynamicAnchors.get(name) === found ? (scope.get(name) ?? found) : found;
}
