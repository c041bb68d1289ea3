import { jsonPointer } from '../pointer.js';
import { type Fault, NO_SCHEMA, type SchemaProblem } from './report.js';
import { referencesOf } from '../lookup.js';
import type { JsonValue, Node } from '../model.js';
import type { Draft, RefSiblings } from '../draft.js';
import type { JsonObject } from '../json.js';
import { keywordIn } from './keywords.js';
import { entered, lost, NO_SCOPE } from './reader.js';
import type { At, ReadDefinition, Reader } from './reader.js';
import { documentUri, Resources, UNNAMED } from './resources.js';
import type { Path, Place } from './resources.js';
import { readSchema } from './schema.js';
import { settled } from './settle.js';

export interface ReadOptions {
  /** Other documents that references may point to, by their URIs. Nothing else is read. */
  readonly documents?: ReadonlyMap<string, JsonValue>;
  /** The draft of schemas without `$schema`. */
  readonly draft: Draft;
  /** The URI of the document, against which its `$id` and references resolve. */
  readonly uri?: string;
  /** The name for the target of a reference. It has to be a new one. */
  readonly nameOf: (target: Place) => string;
  /** What becomes of the keywords beside a `$ref` up to draft-07. Default: `ignore`, with a warning. */
  readonly refSiblings?: RefSiblings;
  /** Levels of schemas; a deeper schema accepts everything, and is reported. */
  readonly depth: number;
  /** Called for each schema and each listed value that is read, and may throw to end the reading. */
  readonly visit?: () => void;
  /** Whether `nullable: true` adds null to `type`: a keyword of OpenAPI, which ajv knows. */
  readonly nullable?: boolean;
  /** More keywords, and formats, that are known to change no verdict. */
  readonly annotations?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
const NO_DOCUMENTS: ReadonlyMap<string, JsonValue> = new Map();

/** Reads schemas of one document, and everything that they refer to. */
export class Reading {
  readonly #options: ReadOptions;
  readonly #resources: Resources;
  readonly #root: Place;
  /** The names of what has been referred to. */
  readonly #names = new Map<JsonObject, Map<string, string>>();
  readonly #waiting: { readonly name: string; readonly at: At }[] = [];
  readonly #read = new Map<string, ReadDefinition>();
  readonly #signatures = new Map<At['scope'], string>();

  constructor(document: JsonObject | boolean, options: ReadOptions) {
    this.#options = options;
    const { documents = NO_DOCUMENTS, draft, uri = UNNAMED } = options;
    this.#resources = new Resources(documents, draft);
    this.#root = this.#resources.add(document, uri);
  }

  /** The draft of the document. */
  get draft(): Draft {
    return this.#root.resource.draft;
  }

  /** Whether something that was read referred to the document of that URI. */
  refersTo(uri: string): boolean {
    return this.#resources.isUsed(documentUri(uri));
  }

  /** Asks for the schema at a pointer as the definition of that name. */
  define(name: string, ...pointer: readonly string[]): void {
    const place = this.#resources.placeAt(this.#root.resource, pointer);
    if (!place) {
      const fault = faultOf(NO_SCHEMA, this.#root, pointer);
      const { pointer: at } = fault;
      const nothing = { diagnostics: [fault], references: new Set<string>() };
      this.#read.set(name, { name, node: lost(), pointer: at, ...nothing });
      return;
    }
    const at = { place, scope: entered(entered(NO_SCOPE, this.#root.resource), place.resource) };
    if (typeof place.schema !== 'boolean') this.#noteName(at, name);
    this.#waiting.push({ name, at });
  }

  /** All definitions that were asked for, and those that they refer to. None consists of a reference to itself. */
  finish(): Map<string, ReadDefinition> {
    // Reading a definition adds to the list.
    for (const { name, at } of this.#waiting) {
      if (!this.#read.has(name)) this.#read.set(name, this.#definition(name, at));
    }
    return settled(this.#read);
  }

  #definition(name: string, at: At): ReadDefinition {
    let diagnostics: Map<string, Fault> | undefined;
    let refers = false;
    const faults = { count: 0, unseen: new Set<Place>() };
    const report = (problem: SchemaProblem, place: Place, ...below: Path): void => {
      const found = faultOf(problem, place, below);
      (diagnostics ??= new Map()).set(`${found.code} ${found.pointer}`, found);
      if (found.severity === 'warning') return;
      faults.count += 1;
      if (below.length === 1 && describes(place, below[0])) faults.unseen.add(place);
    };
    const reader: Reader = {
      resources: this.#resources,
      nullable: this.#options.nullable === true,
      annotations: this.#options.annotations ?? NONE,
      refSiblings: this.#options.refSiblings ?? 'ignore',
      report,
      visit: this.#options.visit,
      refer: (target) => {
        refers = true;
        return this.#refer(target);
      },
      faults,
      below: (from, ...parts) => this.#below(from, parts, reader),
    };
    this.#options.visit?.();
    const { description, ...node } = readSchema(at, reader);
    return {
      name,
      ...(description !== undefined && { description }),
      node,
      pointer: at.place.pointer,
      ...(at.place.document !== UNNAMED && { document: at.place.document }),
      diagnostics: [...(diagnostics?.values() ?? [])],
      references: refers ? referencesOf(node) : NONE,
    };
  }

  #below({ place, scope }: At, parts: Path, reader: Reader): Node {
    this.#options.visit?.();
    const inner = this.#resources.child(place, parts);
    if (!inner) {
      reader.report(NO_SCHEMA, place, ...parts);
      return lost();
    }
    if (inner.depth > 2 * this.#options.depth) {
      reader.report(
        {
          code: 'too-large',
          message: `The schema nests deeper than ${String(this.#options.depth)} levels.`,
        },
        inner,
      );
      return lost();
    }
    const next = inner.resource === place.resource ? scope : entered(scope, inner.resource);
    return readSchema({ place: inner, scope: next }, reader);
  }

  #refer(target: At): Node {
    if (typeof target.place.schema === 'boolean') {
      return { kind: target.place.schema ? 'any' : 'never' };
    }
    const known = this.#nameFor(target);
    if (known !== undefined) return { kind: 'ref', name: known };
    const name = this.#options.nameOf(target.place);
    this.#noteName(target, name);
    this.#waiting.push({ name, at: target });
    return { kind: 'ref', name };
  }

  #nameFor({ place, scope }: At): string | undefined {
    return this.#names.get(place.schema as JsonObject)?.get(this.#signature(scope));
  }

  #noteName({ place, scope }: At, name: string): void {
    const schema = place.schema as JsonObject;
    const names = this.#names.get(schema) ?? new Map<string, string>();
    this.#names.set(schema, names.set(this.#signature(scope), name));
  }

  /** The same for two scopes with the same targets: a schema is read once for each. */
  #signature(scope: At['scope']): string {
    if (scope.size === 0) return '';
    const known = this.#signatures.get(scope);
    if (known !== undefined) return known;
    const signature = [...scope]
      .map(([anchor, place]) => `${anchor}=${place.document}${place.pointer}`)
      .sort()
      .join(' ');
    this.#signatures.set(scope, signature);
    return signature;
  }
}

/** Whether a keyword may say which keys and items a value has. */
function describes({ resource }: Place, keyword: Path[number] = ''): boolean {
  const name = String(keyword);
  return name.startsWith('$') || keywordIn(resource.draft, name)?.holds !== undefined;
}

function faultOf(
  { code, message, help, harmless }: SchemaProblem,
  place: Place,
  below: Path,
): Fault {
  return {
    code,
    severity: harmless ? 'warning' : 'error',
    message,
    pointer: place.pointer + jsonPointer(below),
    ...(place.document !== UNNAMED && { source: place.document }),
    ...(help !== undefined && { help }),
  };
}
