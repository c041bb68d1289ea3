import { jsonPointer, valueAt } from '../../../../json-schema/pointer.js';
import { isObject } from '../../../../json-schema/json.js';
import type { JsonSchema, JsonValue } from '../../../../json-schema/index.js';
import { pascalCase } from '../../../ir/index.js';
import { PARAMETER_PLACES } from './operations.js';
import type { Located, Operation, OperationReader, Parameter, Response } from './operations.js';
import type { Side } from './sides.js';
import { referenceTo, take } from './workpiece.js';
import type { JsonObject } from './workpiece.js';

/** A schema outside of the schemas by name. */
export interface Part {
  readonly side: Side;
  readonly schema: Located<JsonSchema>;
  /** Absent where the schema is only a reference, whose name is enough. */
  readonly name?: string;
}

/** What the parameters of a place are called, together. */
const TOGETHER = { path: 'Path', query: 'Query', header: 'Headers', cookie: 'Cookies' } as const;

/** Longer schemas of parameters are referred to, because operations may share them. */
const LONGEST_COPY = 1_000;

/**
 * The schemas of operations, and of the bodies and responses that they share, with names. Adds to the document, beside
 * what it was made from: an object of the parameters of each place, and a reference to each body or response that is shared.
 */
export function namedParts(
  document: JsonObject,
  reader: OperationReader,
  shared: { readonly bodies?: readonly string[]; readonly responses: readonly string[] },
  moved: Map<string, string>,
): Part[] {
  const parts: Part[] = [];
  const taken = new Set<string>();
  const copies = new Map<JsonSchema, boolean>();

  function add(side: Side, name: string | undefined, schema: Located<JsonSchema>): void {
    parts.push({ side, schema, ...(name !== undefined && { name: take(name, taken) }) });
  }

  /** Writes a schema into the document, and returns where it is. */
  function write(
    at: readonly string[],
    key: string,
    value: JsonObject,
    origin: string,
  ): Located<JsonSchema> {
    (valueAt(document, at) as JsonObject)[key] = value;
    const path = [...at, key];
    moved.set(jsonPointer(path), origin);
    return { path, value };
  }

  function addBody({ at, body }: Operation, name: string): void {
    if (!body) return;
    const { schema } = body;
    const isOwn = isWithin(schema.path, at);
    const reference = { $ref: referenceTo(schema.path) };
    add('request', name, isOwn ? schema : write(at, 'body', reference, jsonPointer(schema.path)));
  }

  function addResponse(response: Response, operation: Operation, name: string): void {
    const { schema, status, at } = response;
    const isOwn = isWithin(at, operation.at);
    const isSuccess = status.startsWith('2');
    if (isOwn) {
      if (schema)
        add('response', isSuccess || !isReference(schema.value) ? name : undefined, schema);
      addTogether(response.headers, at, `${name}Headers`, 'response');
    } else if (schema && isSuccess) {
      const reference = { $ref: referenceTo(schema.path) };
      add(
        'response',
        name,
        write(operation.at, `response ${status}`, reference, jsonPointer(schema.path)),
      );
    }
  }

  /** One object of several parameters. */
  function addTogether(
    list: readonly Parameter[],
    at: readonly string[],
    name: string,
    side: Side,
  ): void {
    if (list.length === 0) return;
    const key = `together ${name}`;
    const properties = list.map((each) => {
      const place = jsonPointer([...at, key, 'properties', each.name]);
      moved.set(place, jsonPointer(each.schema.path));
      return [each.name, propertyOf(each, name, side)] as const;
    });
    const required = list.flatMap((each) => (each.required ? [each.name] : []));
    const object: JsonObject = {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required: [...new Set(required)] }),
    };
    add(side, name, write(at, key, object, jsonPointer(at)));
  }

  function propertyOf(parameter: Parameter, owner: string, side: Side): JsonValue {
    const { schema, description, deprecated } = parameter;
    const texts = {
      ...(description !== undefined && { description }),
      ...(deprecated && { deprecated }),
    };
    if (isSmall(schema.value)) {
      if (!isObject(schema.value)) return schema.value;
      const copy = structuredClone(schema.value);
      return isReference(copy) ? { allOf: [copy], ...texts } : { ...texts, ...copy };
    }
    const isShared = parts.some((each) => each.schema.value === schema.value);
    if (!isShared) add(side, owner + pascalCase(parameter.name), schema);
    return { allOf: [{ $ref: referenceTo(schema.path) }], ...texts };
  }

  function isSmall(schema: JsonSchema): boolean {
    const known = copies.get(schema) ?? JSON.stringify(schema).length <= LONGEST_COPY;
    copies.set(schema, known);
    return known;
  }

  for (const at of shared.bodies ? reader.members(shared.bodies) : []) {
    const body = reader.body(at);
    if (body && isWithin(body.schema.path, at.path))
      add('request', sharedName(at, 'Body'), body.schema);
  }
  for (const each of reader.members(shared.responses)) {
    const name = sharedName(each, 'Response');
    for (const { schema, headers, at } of reader.response(each)) {
      if (!isWithin(at, each.path)) continue;
      if (schema) add('response', name, schema);
      addTogether(headers, at, `${name}Headers`, 'response');
    }
  }
  // Several paths may refer to the same operations.
  const operations = new Map(reader.operations().map((each) => [jsonPointer(each.at), each]));
  for (const operation of operations.values()) {
    const name = pascalCase(operation.name) || 'Operation';
    for (const place of PARAMETER_PLACES) {
      const list = operation.parameters.filter((each) => each.in === place);
      addTogether(list, operation.at, name + TOGETHER[place], 'request');
    }
    addBody(operation, `${name}Body`);
    for (const response of operation.responses) {
      addResponse(response, operation, `${name}Response${pascalCase(response.status)}`);
    }
  }
  return parts;
}

/** `NotFound` → `NotFoundResponse`; `ErrorResponse` stays. */
function sharedName({ path }: Located<JsonValue>, suffix: string): string {
  const name = pascalCase(path.at(-1) ?? '');
  return name.endsWith(suffix) ? name : name + suffix;
}

function isWithin(path: readonly string[], folder: readonly string[]): boolean {
  return folder.every((key, index) => path[index] === key);
}

function isReference(schema: JsonSchema): boolean {
  return isObject(schema) && typeof schema['$ref'] === 'string';
}
