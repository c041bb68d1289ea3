/**
 * The operations of an OpenAPI document, 2.0 or 3: their names, parameters, bodies and responses, as far as these are
 * JSON. A reference leads to a place in the same document, or the part that it stands for is left out.
 */

import { fragmentParts, valueAt } from '../../../../json-schema/pointer.js';
import { isObject, isSchema } from '../../../../json-schema/json.js';
import type { JsonObject, JsonSchema, JsonValue } from '../../../../json-schema/index.js';

/** A part of a document, and the keys that lead to it. */
export interface Located<T = JsonObject> {
  readonly path: readonly string[];
  readonly value: T;
}

export interface Operation {
  /** Its `operationId`, else its method and path: `get /pets/{id}`. */
  readonly name: string;
  /** In lower case. */
  readonly method: string;
  readonly path: string;
  /** The keys that lead to it. */
  readonly at: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated: boolean;
  /** Its own, and those of its path. */
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  /** Those with JSON or headers. */
  readonly responses: readonly Response[];
}

export const PARAMETER_PLACES = ['path', 'query', 'header', 'cookie'] as const;
export type ParameterPlace = (typeof PARAMETER_PLACES)[number];

export interface Parameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly description?: string;
  readonly deprecated: boolean;
  readonly schema: Located<JsonSchema>;
}

export interface Body {
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Located<JsonSchema>;
}

export interface Response {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  readonly description?: string;
  readonly schema?: Located<JsonSchema>;
  readonly headers: readonly Parameter[];
  /** The keys that lead to it. */
  readonly at: readonly string[];
}

/** `lost`: a reference that leads to no part of the document. */
export type Part = 'path' | 'operation' | 'parameter' | 'body' | 'response' | 'lost';

/** Receives each part that is read, so that the caller can see what else is in it. */
export type Visit = (part: Part, value: JsonObject, path: readonly string[]) => void;

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** The operations of `paths`, in the order of the document. */
export function operationsOf(document: JsonObject, visit: Visit = () => undefined): Operation[] {
  return new OperationReader(document, visit).operations();
}

export class OperationReader {
  readonly #document: JsonObject;
  readonly #visit: Visit;

  constructor(document: JsonObject, visit: Visit) {
    this.#document = document;
    this.#visit = visit;
  }

  operations(): Operation[] {
    return this.members(['paths'])
      .filter(isNoExtension)
      .flatMap((written) => {
        const item = this.#followed(written);
        if (!item) return [];
        this.#visit('path', item.value, item.path);
        const shared = this.#parameters(item);
        const path = written.path.at(-1) ?? '';
        return METHODS.flatMap((method) => {
          const at = [...item.path, method];
          const value = valueAt(this.#document, at);
          return isObject(value)
            ? [this.#operation({ path: at, value }, method, path, shared)]
            : [];
        });
      });
  }

  #operation(at: Located, method: string, path: string, shared: readonly Parameter[]): Operation {
    this.#visit('operation', at.value, at.path);
    const { operationId } = at.value;
    const own = this.#parameters(at);
    const others = shared.filter(
      (each) => !own.some((other) => other.name === each.name && other.in === each.in),
    );
    const body = this.body(this.#bodyOf(at));
    return {
      name:
        typeof operationId === 'string' && operationId !== '' ? operationId : `${method} ${path}`,
      method,
      path,
      at: at.path,
      ...textsOf(at.value),
      deprecated: at.value['deprecated'] === true,
      parameters: [...others, ...own],
      ...(body && { body }),
      responses: this.members([...at.path, 'responses'])
        .filter(isNoExtension)
        .flatMap((each) => this.response(each)),
    };
  }

  /** In 2.0 a parameter is the body. */
  #bodyOf(operation: Located): Located<JsonValue | undefined> {
    const path = [...operation.path, 'requestBody'];
    const parameter = this.#list(operation).find(({ value }) => value['in'] === 'body');
    return parameter ?? { path, value: valueAt(this.#document, path) };
  }

  /** Undefined for a body that is not JSON. */
  body(at: Located<JsonValue | undefined>): Body | undefined {
    const body = this.#followed(at);
    if (!body) return undefined;
    this.#visit('body', body.value, body.path);
    const schema = this.#schema(body);
    return schema && { required: body.value['required'] === true, ...textsOf(body.value), schema };
  }

  /** Empty for a response with neither JSON nor headers. */
  response(at: Located<JsonValue>): Response[] {
    const found = this.#followed(at);
    if (!found) return [];
    this.#visit('response', found.value, found.path);
    const schema = this.#schema(found);
    const headers = this.members([...found.path, 'headers']).flatMap((each) => {
      const header = this.#followed(each);
      return header ? this.#parameter(header, each.path.at(-1) ?? '', 'header') : [];
    });
    if (!schema && headers.length === 0) return [];
    const [status = ''] = at.path.slice(-1);
    return [
      { status, ...textsOf(found.value), ...(schema && { schema }), headers, at: found.path },
    ];
  }

  #parameters(at: Located): Parameter[] {
    return this.#list(at).flatMap((found) => {
      const { name, in: place } = found.value;
      const known = PARAMETER_PLACES.find((each) => each === place);
      if (typeof name !== 'string' || !known) {
        this.#visit('parameter', found.value, found.path);
        return [];
      }
      // What these three say stands elsewhere in the document.
      const isOther = /^(?:accept|content-type|authorization)$/i.test(name);
      return known === 'header' && isOther ? [] : this.#parameter(found, name, known);
    });
  }

  #parameter(at: Located, name: string, place: ParameterPlace): Parameter[] {
    this.#visit('parameter', at.value, at.path);
    const schema = this.#schema(at) ?? plainSchema(at);
    const required = at.value['required'] === true;
    const deprecated = at.value['deprecated'] === true;
    return schema ? [{ name, in: place, required, ...textsOf(at.value), deprecated, schema }] : [];
  }

  #list({ path, value }: Located): Located[] {
    const list = value['parameters'];
    return (Array.isArray(list) ? list : []).flatMap((each, index) => {
      const found = this.#followed({ path: [...path, 'parameters', String(index)], value: each });
      return found ? [found] : [];
    });
  }

  /** The schema of a part: its own, or that of its JSON. */
  #schema(part: Located): Located<JsonSchema> | undefined {
    const types = Object.keys(isObject(part.value['content']) ? part.value['content'] : {});
    const json = types.find((type) => type === 'application/json') ?? types.find(isJson);
    const path = [...part.path, ...(json === undefined ? [] : ['content', json]), 'schema'];
    const value = valueAt(this.#document, path);
    if (!isSchema(value) || (isObject(value) && value['type'] === 'file')) return undefined;
    return { path, value };
  }

  /** The members of an object at some keys. */
  members(path: readonly string[]): Located<JsonValue>[] {
    const group = valueAt(this.#document, path);
    return Object.entries(isObject(group) ? group : {}).map(([name, value]) => ({
      path: [...path, name],
      value,
    }));
  }

  /** An object, through references inside of the document; undefined where they lead nowhere. */
  #followed(at: Located<JsonValue | undefined>): Located | undefined {
    const seen = new Set<JsonValue>();
    let { path, value } = at;
    while (isObject(value) && typeof value['$ref'] === 'string') {
      const keys = fragmentParts(value['$ref']);
      const target = value['$ref'].startsWith('#') ? valueAt(this.#document, keys) : undefined;
      if (!isObject(target) || seen.has(target)) {
        this.#visit('lost', value, path);
        return undefined;
      }
      seen.add(target);
      [path, value] = [keys, target];
    }
    return isObject(value) ? { path, value } : undefined;
  }
}

const isNoExtension = ({ path }: Located<unknown>): boolean => !path.at(-1)?.startsWith('x-');

/** The keywords of a parameter of 2.0, which is a schema itself. */
function plainSchema({ path, value }: Located): Located<JsonSchema> | undefined {
  if (typeof value['type'] !== 'string' || value['type'] === 'file') return undefined;
  const keywords = Object.entries(value).filter(([key]) => !OF_PARAMETERS.has(key));
  return { path, value: Object.fromEntries(keywords) };
}

const OF_PARAMETERS: ReadonlySet<string> = new Set([
  ...['name', 'in', 'required', 'collectionFormat', 'allowEmptyValue'],
]);

/** Whether a media type is JSON. Some frameworks write every type for it. */
export function isJson(type: string): boolean {
  return /^(?:[\w-]+\/(?:[\w.+-]+\+)?json|(?:\*|application)\/\*)\s*(?:;|$)/i.test(type);
}

function textsOf(value: JsonObject): { readonly summary?: string; readonly description?: string } {
  const { summary, description } = value;
  return {
    ...(typeof summary === 'string' && { summary }),
    ...(typeof description === 'string' && { description }),
  };
}
