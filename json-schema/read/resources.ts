import type { Draft } from '../draft.js';
import { jsonPointer } from '../pointer.js';
import type { JsonValue } from '../model.js';
import { draftNamed, isBefore, refStandsAlone, VALIDATION_VOCABULARIES } from './drafts.js';
import { isObject, isSchema, member } from '../json.js';
import type { JsonObject } from '../json.js';
import { CONTAINERS, keywordIn } from './keywords.js';
import { parts } from './subschemas.js';
import { metaschemaAt } from './metaschemas.js';

export type Path = readonly (string | number)[];

/** A schema with a URI of its own: a document, or a part of one that has an `$id`. */
export interface Resource {
  /** Absolute, without a fragment. */
  readonly uri: string;
  readonly draft: Draft;
  /** Whether the keywords of the validation vocabulary assert. */
  readonly asserts: boolean;
  readonly root: Place;
  /** Whether a schema below the root may have a URI or an anchor of its own. */
  readonly hasNames: boolean;
  /** By the names of `$anchor` and `$dynamicAnchor`. */
  readonly anchors: Map<string, Place>;
  readonly dynamicAnchors: Map<string, Place>;
}

/** One schema of a document. */
export class Place {
  readonly schema: JsonObject | boolean;
  readonly resource: Resource;
  /** The document's own URI, or the one that the user gave it. */
  readonly document: string;
  /** How many parts the path has. */
  readonly depth: number;
  readonly #above: Place | undefined;
  readonly #parts: Path;
  #pointer: string | undefined;

  /** `parts` lead to it from the place above, or from the root of the document when there is none. */
  constructor(
    schema: JsonObject | boolean,
    resource: Resource,
    document: string,
    parts: Path,
    above?: Place,
  ) {
    this.schema = schema;
    this.resource = resource;
    this.document = document;
    this.#above = above;
    this.#parts = parts;
    this.depth = parts.length + (above?.depth ?? 0);
  }

  /** From the root of the document. */
  get path(): Path {
    return this.#above ? [...this.#above.path, ...this.#parts] : this.#parts;
  }

  /** The path as a JSON pointer. */
  get pointer(): string {
    return (this.#pointer ??= (this.#above?.pointer ?? '') + jsonPointer(this.#parts));
  }
}

/** The base of documents without a URI; a relative `$ref` in one resolves against it. */
export const UNNAMED = 'schema:///';

/** All schemas of some documents, by their URIs. */
export class Resources {
  readonly #byUri = new Map<string, Resource>();
  /** The places that are known to be schemas. */
  readonly #places = new Map<JsonObject, Place>();
  readonly #documents: ReadonlyMap<string, JsonValue>;
  /** The URIs of the documents that something referred to. */
  readonly #used = new Set<string>();
  /** The draft of schemas without `$schema`. */
  readonly #usual: Draft;

  /** `documents` are read when something refers to them. */
  constructor(documents: ReadonlyMap<string, JsonValue>, usual: Draft) {
    this.#documents = new Map([...documents].map(([uri, json]) => [documentUri(uri), json]));
    this.#usual = usual;
  }

  /** Adds a document, and returns its root. */
  add(json: JsonObject | boolean, uri: string): Place {
    const known = isObject(json) ? this.#places.get(json) : undefined;
    if (known) return known;
    return this.#index(json, { parts: [], document: uri, uri, draft: this.#usual });
  }

  /** Whether something referred to the document of an absolute URI. */
  isUsed(uri: string): boolean {
    return this.#used.has(uri);
  }

  #document(uri: string): JsonValue | undefined {
    this.#used.add(uri);
    return this.#documents.get(uri);
  }

  /** The resource of an absolute URI, read from its document if need be. */
  find(uri: string): Resource | undefined {
    const known = this.#byUri.get(uri);
    if (known) return known;
    const json = this.#document(uri) ?? metaschemaAt(uri);
    if (!isSchema(json)) return undefined;
    return this.add(json, uri).resource;
  }

  /** The place of a schema at a keyword of another one; undefined when there is none. */
  child(place: Place, parts: Path): Place | undefined {
    let value: JsonValue = place.schema;
    for (const part of parts) {
      value = (value as { readonly [key: string]: JsonValue })[part] ?? null;
    }
    if (!isSchema(value)) return undefined;
    const { resource, document } = place;
    if (!isObject(value)) return new Place(value, resource, document, parts, place);
    if (!resource.hasNames) return new Place(value, resource, document, parts, place);
    return this.#places.get(value) ?? this.#index(value, below(place, parts));
  }

  /** The place of a schema below a resource, which may be below a keyword without a meaning. */
  placeAt(resource: Resource, pointer: readonly string[]): Place | undefined {
    let value: JsonValue = resource.root.schema;
    let nearest = resource;
    for (const [index, part] of pointer.entries()) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) {
        return undefined;
      }
      value = (value as { readonly [key: string]: JsonValue })[part] ?? null;
      const known: Place | undefined = isObject(value) ? this.#places.get(value) : undefined;
      if (known && index < pointer.length) nearest = known.resource;
    }
    if (!isSchema(value)) return undefined;
    const known = isObject(value) ? this.#places.get(value) : undefined;
    if (known) return known;
    const { root } = resource;
    if (typeof value === 'boolean' || !resource.hasNames) {
      return new Place(value, nearest, root.document, pointer, root);
    }
    return this.#index(value, below(root, pointer, nearest));
  }

  /** Notes a schema, and those below it if one of them may have a name. */
  #index(schema: JsonObject | boolean, at: At): Place {
    const own = isObject(schema) ? idOf(schema, this.#draftOf(schema, at)) : undefined;
    const resource =
      own === undefined && at.resource
        ? at.resource
        : this.#resource(schema, at, absolute(own ?? '', at.uri));
    const place =
      resource.root.schema === schema
        ? resource.root
        : new Place(schema, resource, at.document, at.parts, at.above);
    if (typeof schema === 'boolean') return place;
    this.#places.set(schema, place);
    noteAnchors(schema, place);
    if (resource.hasNames) this.#below(schema, place);
    return place;
  }

  #below(schema: JsonObject, place: Place): void {
    const { draft } = place.resource;
    for (const [name, value] of Object.entries(schema)) {
      if (isLoneRef(schema, draft) && !CONTAINERS.has(name)) continue;
      for (const [part, way] of parts(name, value, keywordIn(draft, name)?.holds ?? null)) {
        if (isObject(part)) this.#index(part, below(place, way));
      }
    }
  }

  #resource(schema: JsonObject | boolean, at: At, uri: string): Resource {
    const resource: Resource & { root: Place } = {
      uri,
      draft: isObject(schema) ? this.#draftOf(schema, at) : at.draft,
      asserts: this.#asserts(schema, at),
      anchors: new Map(),
      dynamicAnchors: new Map(),
      hasNames: at.resource?.hasNames ?? Object.values(schema).some(mayHaveName),
      root: undefined as never,
    };
    resource.root = new Place(schema, resource, at.document, at.parts, at.above);
    if (!this.#byUri.has(uri)) this.#byUri.set(uri, resource);
    // A document answers to the URI under which the user named it as well as to its own.
    if (!at.above && !this.#byUri.has(at.uri)) this.#byUri.set(at.uri, resource);
    return resource;
  }

  #draftOf(schema: JsonObject, at: At): Draft {
    const written = member(schema, '$schema');
    if (typeof written !== 'string' || (at.resource && idOf(schema, at.draft) === undefined)) {
      return at.draft;
    }
    return draftNamed(written) ?? this.#draftOfMetaschema(written) ?? at.draft;
  }

  #draftOfMetaschema(uri: string): Draft | undefined {
    const meta = this.#document(documentUri(uri));
    const written = isObject(meta) ? member(meta, '$schema') : undefined;
    return typeof written === 'string' ? draftNamed(written) : undefined;
  }

  /** A metaschema may leave the validation vocabulary out. */
  #asserts(schema: JsonObject | boolean, at: At): boolean {
    const written = isObject(schema) ? member(schema, '$schema') : undefined;
    if (typeof written !== 'string') return at.resource?.asserts ?? true;
    if (draftNamed(written)) return true;
    const meta = this.#document(documentUri(written));
    const vocabulary = isObject(meta) ? member(meta, '$vocabulary') : undefined;
    if (!isObject(vocabulary)) return true;
    return VALIDATION_VOCABULARIES.some((each) => Object.hasOwn(vocabulary, each));
  }
}

interface At {
  readonly parts: Path;
  readonly above?: Place;
  readonly document: string;
  /** The base URI. */
  readonly uri: string;
  readonly draft: Draft;
  readonly resource?: Resource;
}

/** The place at some keys of another one. */
function below(above: Place, parts: Path, resource = above.resource): At {
  const { uri, draft } = resource;
  return { parts, above, document: above.document, uri, draft, resource };
}

const NAMING: ReadonlySet<string> = new Set(['$id', 'id', '$anchor', '$dynamicAnchor']);

/** Whether some part of a value looks like the URI or the anchor of a schema. Most documents have none. */
function mayHaveName(json: JsonValue): boolean {
  if (typeof json !== 'object' || json === null) return false;
  if (Array.isArray(json)) return json.some(mayHaveName);
  for (const key in json) {
    const part = json[key];
    if (typeof part === 'string' ? NAMING.has(key) : part === true && key === '$recursiveAnchor') {
      return true;
    }
    if (typeof part === 'object' && mayHaveName(part)) return true;
  }
  return false;
}

/** Whether the siblings of a `$ref` mean nothing. */
export function isLoneRef(schema: JsonObject, draft: Draft): boolean {
  return member(schema, '$ref') !== undefined && refStandsAlone(draft);
}

/** What the schema says that its URI is. */
function writtenId(schema: JsonObject, draft: Draft): string | undefined {
  const id = member(schema, draft === 'draft-04' ? 'id' : '$id');
  return typeof id === 'string' ? id : undefined;
}

/** The URI that begins a resource. Before 2019-09 it may be an anchor only. */
function idOf(schema: JsonObject, draft: Draft): string | undefined {
  const id = writtenId(schema, draft);
  if (id === undefined || isLoneRef(schema, draft)) return undefined;
  const isAnchor = isBefore(draft, '2019-09') ? id.startsWith('#') : withoutFragment(id) === '';
  return isAnchor ? undefined : id;
}

function noteAnchors(schema: JsonObject, place: Place): void {
  const { anchors, dynamicAnchors, draft } = place.resource;
  if (isBefore(draft, '2019-09')) {
    const fragment = isLoneRef(schema, draft) ? '' : writtenId(schema, draft)?.split('#')[1];
    if (fragment && !anchors.has(fragment)) anchors.set(fragment, place);
    return;
  }
  if (draft === '2019-09') {
    const isRecursive = member(schema, '$recursiveAnchor') === true;
    if (isRecursive && place === place.resource.root) dynamicAnchors.set(RECURSIVE, place);
  }
  for (const name of ['$anchor', '$dynamicAnchor'] as const) {
    const anchor = member(schema, name);
    if (typeof anchor !== 'string') continue;
    if (!anchors.has(anchor)) anchors.set(anchor, place);
    if (name === '$dynamicAnchor' && !dynamicAnchors.has(anchor)) dynamicAnchors.set(anchor, place);
  }
}

/** `$recursiveAnchor` is a dynamic anchor without a name. */
const RECURSIVE = '';

/** A URI reference against a base; the reference itself where it cannot be resolved. */
export function absolute(reference: string, base: string): string {
  const plain = withoutFragment(reference);
  if (plain === '') return base;
  if (URL.canParse(plain, base)) return withoutFragment(new URL(plain, base).href);
  return plain;
}

/** The URI of a document that a user names; `UNNAMED` when it names none. */
export function documentUri(written: string): string {
  return absolute(written, UNNAMED);
}

function withoutFragment(uri: string): string {
  const index = uri.indexOf('#');
  return index === -1 ? uri : uri.slice(0, index);
}
