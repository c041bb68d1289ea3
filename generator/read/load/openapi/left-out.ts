import { isObject } from '../../../../json-schema/json.js';
import { jsonPointer } from '../../../../json-schema/pointer.js';
import type { JsonObject } from '../../../../json-schema/index.js';
import type { Diagnostic } from '../../../diagnostics/index.js';
import { many } from '../../../diagnostics/index.js';
import { isJson } from './operations.js';
import type { Part, Visit } from './operations.js';

/** What no generated file contains, by the part that has it and its key there. */
const KINDS: Readonly<Record<Part | 'document' | 'components' | 'schema', readonly string[]>> = {
  document: [
    ...['servers', 'security', 'webhooks', 'externalDocs'],
    ...['host', 'basePath', 'schemes', 'securityDefinitions'],
  ],
  components: ['securitySchemes', 'callbacks', 'links', 'examples'],
  path: ['servers'],
  operation: ['servers', 'security', 'callbacks', 'externalDocs'],
  parameter: ['example', 'examples'],
  body: [],
  response: ['links', 'examples'],
  schema: ['xml', 'example', 'externalDocs', 'defaultMapping'],
  lost: ['$ref'],
};

/** The name under which keys of one meaning are counted. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['securitySchemes', 'security'],
  ['securityDefinitions', 'security'],
  ['host', 'servers'],
  ['basePath', 'servers'],
  ['schemes', 'servers'],
  ['example', 'examples'],
]);

/** Counts what is left out of a document: one warning for each kind. */
export class LeftOut {
  /** The places of each kind. */
  readonly #kinds = new Map<string, string[]>();
  readonly #seen = new Set<JsonObject>();

  readonly visit: Visit = (part, value, path) => {
    this.note(part, value, path);
  };

  note(part: keyof typeof KINDS, value: JsonObject, path: readonly string[]): void {
    if (this.#seen.has(value)) return;
    this.#seen.add(value);
    for (const key of KINDS[part]) {
      if (isSaid(value[key])) this.#count(`"${SAME.get(key) ?? key}"`, [...path, key]);
    }
    if (part === 'lost') return;
    if (value['in'] === 'formData') this.#count(NOT_JSON, path);
    for (const type of Object.keys(isObject(value['content']) ? value['content'] : {})) {
      if (!isJson(type)) this.#count(NOT_JSON, [...path, 'content', type]);
    }
  }

  /** What is left out at a place, or below it. */
  diagnostics(at: readonly string[]): Diagnostic[] {
    const start = jsonPointer(at);
    return [...this.#kinds].flatMap(([kind, all]): Diagnostic[] => {
      const found = all.filter((pointer) => pointer.startsWith(start));
      const [pointer] = found;
      if (pointer === undefined) return [];
      const message = `${kind} is not carried over, in ${many(found.length, 'place')}.`;
      return [{ code: 'not-carried', severity: 'warning', message, pointer }];
    });
  }

  #count(kind: string, path: readonly string[]): void {
    const known = this.#kinds.get(kind);
    if (known) known.push(jsonPointer(path));
    else this.#kinds.set(kind, [jsonPointer(path)]);
  }
}

const NOT_JSON = 'Content that is not JSON';

/** An empty list or object says nothing. */
function isSaid(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined;
  return Object.keys(value).length > 0;
}
