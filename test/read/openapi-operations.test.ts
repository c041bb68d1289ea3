import { afterAll, describe, expect, it } from 'vitest';
import { DiagnosticError } from '../../generator/diagnostics/index.js';
import { operationsOf } from '../../generator/read/load/openapi/operations.js';
import { createCompiler } from './compiled.js';
import { checker, json, namesOf, readApi, ref, SHOP, typeErrors } from './openapi-support.js';

const compiler = createCompiler();
afterAll(() => compiler.remove());

/** The same operations in the words of 2.0. */
const SWAGGER = {
  openapi: undefined,
  swagger: '2.0',
  host: 'example.com',
  paths: {
    '/orders/{id}': {
      get: {
        operationId: 'getOrder',
        parameters: [
          { name: 'id', in: 'path', required: true, type: 'integer', minimum: 1 },
          {
            name: 'tags',
            in: 'query',
            type: 'array',
            items: { type: 'string' },
            collectionFormat: 'csv',
          },
        ],
        responses: {
          200: { schema: { $ref: '#/definitions/Order' } },
          400: { $ref: '#/responses/Bad' },
        },
      },
      post: {
        operationId: 'addOrder',
        parameters: [{ name: 'order', in: 'body', schema: { $ref: '#/definitions/Order' } }],
        responses: { 200: { schema: { type: 'file' } } },
      },
      put: {
        operationId: 'sendFile',
        parameters: [{ name: 'file', in: 'formData', type: 'file' }],
        responses: {},
      },
    },
  },
  responses: { Bad: { schema: { type: 'object' } } },
  definitions: {
    Order: { type: 'object', properties: { id: { type: 'string', readOnly: true } } },
  },
};

describe('the schemas of operations', () => {
  it('are named after them', () => {
    expect(namesOf(readApi(SHOP).protocol)).toEqual([
      ...['AddOrderBody', 'AddOrderResponse201', 'Base', 'BaseRequest'],
      ...['GetOrderCookies', 'GetOrderHeaders', 'GetOrderPath', 'GetOrderQuery'],
      ...['GetOrderResponse200', 'GetOrderResponse200Headers', 'GetOrderResponseDefault'],
      ...['Item', 'Line', 'LineRequest', 'NotFoundResponse', 'Order', 'OrderBody', 'OrderRequest'],
      ...['Problem', 'PutOrdersIdBody', 'PutOrdersIdPath'],
    ]);
  });

  it('have types, and places of the document', async () => {
    const { protocol } = readApi(SHOP);
    const errors = await typeErrors([
      {
        protocol,
        module: `export const path: types.GetOrderPath = { id: 1 };
          export const query: types.GetOrderQuery = { verbose: true };
          export const headers: types.GetOrderHeaders = { 'X-Trace': 'a' };
          export const order: types.Order = { id: 'a', lines: [{ id: 1, count: 1 }] };
          export const answer: types.GetOrderResponse200 = order;
          export const body: types.AddOrderBody = [{ secret: '', lines: [{ count: 1 }] }];
          export const sent: types.PutOrdersIdBody = { secret: '', lines: [] };
          // @ts-expect-error a request has no id
          export const wrong: types.OrderRequest = { id: 'a', secret: '', lines: [] };
          // @ts-expect-error a response has no secret
          export const leaked: types.Order = { id: 'a', secret: '', lines: [] };`,
      },
    ]);
    expect(errors).toEqual([]);
    const placed = new Map(protocol.definitions.map(({ name, pointer }) => [name, pointer]));
    expect(placed.get('OrderRequest')).toBe('/components/schemas/Order');
    expect(placed.get('PutOrdersIdBody')).toBe(
      '/components/requestBodies/Order/content/application~1json/schema',
    );
    expect(placed.get('GetOrderResponseDefault')).toBe(
      '/paths/~1orders~1{id}/get/responses/default/content/application~1json/schema',
    );
    const query = protocol.definitions.find(({ name }) => name === 'GetOrderQuery')?.node;
    expect(query).toMatchObject({
      properties: [
        {
          name: 'verbose',
          node: { kind: 'boolean', description: 'Says more.' },
          pointer: '/paths/~1orders~1{id}/get/parameters/0/schema',
        },
      ],
    });
  });

  it('are read in 2.0 as well', async () => {
    const { protocol, diagnostics } = readApi(SWAGGER);
    expect(namesOf(protocol)).toEqual([
      ...['AddOrderBody', 'BadResponse', 'GetOrderPath', 'GetOrderQuery', 'GetOrderResponse200'],
      ...['Order', 'OrderRequest'],
    ]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      '"servers" is not carried over, in 1 place.',
      'Content that is not JSON is not carried over, in 1 place.',
    ]);
    const is = await checker(compiler, protocol);
    const paths = [{ id: 1 }, { id: 0 }, {}];
    expect(paths.map((value) => is('GetOrderPath', value))).toEqual([true, false, false]);
  });

  it('do without schemas by name', () => {
    const paths = { '/a': { get: { responses: { 200: json({ type: 'string' }) } } } };
    expect(namesOf(readApi({ paths }).protocol)).toEqual(['GetAResponse200']);
  });

  it('are left out where a place is given', () => {
    const { protocol, diagnostics } = readApi(SHOP, ['components', 'schemas']);
    expect(namesOf(protocol)).toEqual([
      ...['Base', 'BaseRequest', 'Item', 'Line', 'LineRequest', 'Order', 'OrderRequest', 'Problem'],
    ]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      '"examples" is not carried over, in 1 place.',
    ]);
  });

  it.each([{ paths: {} }, { paths: { '/a': { get: {} } } }, { components: { schemas: {} } }, {}])(
    'have to be there: %j',
    (document) => {
      expect(() => readApi(document)).toThrow(
        'The OpenAPI document has no schemas, and its operations have no JSON.',
      );
    },
  );

  it('have names that no schema has', () => {
    const get = { operationId: 'pets', responses: { 200: json({ type: 'string' }) } };
    const { protocol, diagnostics } = readApi({
      paths: { '/a': { get }, '/b': { get } },
      components: { schemas: { PetsResponse200: { type: 'number' } } },
    });
    expect(namesOf(protocol)).toEqual([
      'PetsResponse200',
      'PetsResponse200_2',
      'PetsResponse200_3',
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['bad-name']);
  });
});

describe('readOnly and writeOnly', () => {
  it('give a schema of both sides two forms, whose validators differ', async () => {
    const is = await checker(compiler, readApi(SHOP).protocol);
    const response = { id: 'a', lines: [{ id: 1, count: 1 }] };
    const request = { secret: 'x', lines: [{ count: 1 }] };
    expect([response, request].map((value) => is('Order', value))).toEqual([true, false]);
    expect([response, request].map((value) => is('OrderRequest', value))).toEqual([false, true]);
    expect(is('LineRequest', {})).toBe(false);
  });

  const Marked = {
    type: 'object',
    required: ['id', 'secret'],
    properties: {
      id: { type: 'string', readOnly: true },
      secret: { type: 'string', writeOnly: true },
    },
  };
  const body = { requestBody: json(ref('Marked')) };
  const responses = { 200: json(ref('Marked')) };

  it.each([
    ['only requests', { post: body }, { Marked: ['secret'] }],
    ['only responses', { post: { responses } }, { Marked: ['id'] }],
    ['both', { post: { ...body, responses } }, { Marked: ['id'], MarkedRequest: ['secret'] }],
    ['neither', {}, { Marked: ['id'], MarkedRequest: ['secret'] }],
  ])('give a schema of %s one form for each side', (_title, item, forms) => {
    const { protocol } = readApi({ paths: { '/a': item }, components: { schemas: { Marked } } });
    const found = protocol.definitions
      .filter(({ name }) => name.startsWith('Marked'))
      .map(({ name, node }) => [
        name,
        node.kind === 'object' ? node.properties.map((each) => each.name) : [],
      ]);
    expect(Object.fromEntries(found)).toEqual(forms);
  });

  it('leave the name of another schema to it', () => {
    const MarkedRequest = { type: 'string' };
    const { protocol } = readApi({ components: { schemas: { Marked, MarkedRequest } } });
    expect(namesOf(protocol)).toEqual(['Marked', 'MarkedRequest', 'MarkedRequest_2']);
  });
});

it('what is not carried over is one warning for each kind', () => {
  const { diagnostics } = readApi(SHOP);
  expect(diagnostics.every(({ code }) => code === 'not-carried')).toBe(true);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    '"servers" is not carried over, in 1 place.',
    '"security" is not carried over, in 2 places.',
    '"links" is not carried over, in 1 place.',
    'Content that is not JSON is not carried over, in 1 place.',
    '"callbacks" is not carried over, in 1 place.',
    '"examples" is not carried over, in 1 place.',
  ]);
});

describe('a hostile document', () => {
  it('may have references in circles, and names that every object inherits', () => {
    const circle = (group: string) => ({ A: ref('B', group), B: ref('A', group) });
    const text = `{ "paths": { "__proto__": { "get": {
      "operationId": "__proto__",
      "parameters": [
        { "$ref": "#/components/parameters/A" },
        { "name": "__proto__", "in": "query", "schema": { "readOnly": true } }
      ],
      "requestBody": { "$ref": "#/components/requestBodies/A" },
      "responses": { "__proto__": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/constructor" } } } } }
    } } }, "components": { "schemas": {
      "__proto__": { "type": "object", "discriminator": { "propertyName": "__proto__" }, "properties": { "__proto__": { "readOnly": true } } },
      "constructor": { "allOf": [{ "$ref": "#/components/schemas/__proto__" }] },
      "U": { "oneOf": [{ "$ref": "#/components/schemas/constructor" }], "discriminator": { "propertyName": "toString" } }
    } } }`;
    const document = JSON.parse(text) as { components: object };
    Object.assign(document.components, {
      parameters: circle('parameters'),
      requestBodies: circle('requestBodies'),
    });
    const { protocol } = readApi(document);
    expect(namesOf(protocol)).toEqual(expect.arrayContaining(['Constructor', 'ProtoQuery', 'U']));
    expect(({} as Record<string, unknown>)['type']).toBeUndefined();
  });

  it('may have values of other types everywhere', () => {
    const odd = [null, 1, 'text', [], [null], {}, { $ref: 1 }, { $ref: '#/' }];
    const places = ['parameters', 'requestBody', 'responses', 'operationId'] as const;
    for (const value of odd) {
      for (const place of places) {
        const components = {
          schemas: { A: { discriminator: value, oneOf: value, properties: value } },
        };
        const paths = { '/a': { get: { [place]: value } }, '/b': value };
        const shared = { parameters: value, responses: value, requestBodies: value };
        const { diagnostics } = readApi({ paths, components: { ...components, ...shared } });
        expect(diagnostics.every(({ pointer }) => pointer !== undefined)).toBe(true);
      }
    }
  });

  it('has no more operations than definitions may be', () => {
    const get = { requestBody: json({}) };
    const paths = Object.fromEntries(
      Array.from({ length: 5_001 }, (_, at) => [`/${String(at)}`, { get }]),
    );
    let found: unknown;
    try {
      readApi({ paths });
    } catch (error) {
      found = error;
    }
    expect(found).toBeInstanceOf(DiagnosticError);
    expect((found as DiagnosticError).diagnostics).toMatchObject([
      {
        code: 'too-large',
        message: 'The document has 5,001 definitions, more than 5,000.',
        help: 'Give the place of a part of them: openapi.yaml#/components/schemas leaves the operations out.',
      },
    ]);
  });

  it('may let more schemas extend each other than tags are written for', () => {
    const names = Array.from({ length: 1_000 }, (_, at) => `S${String(at)}`);
    const discriminator = { propertyName: 'kind' };
    const schemas = Object.fromEntries(
      names.map((name, at) => [
        name,
        at === 0 ? { discriminator } : { allOf: [ref(`S${String(at - 1)}`)] },
      ]),
    );
    const { diagnostics } = readApi({ components: { schemas } });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'Some schemas that extend "S0" get no literals as "kind", because there are too many.',
    ]);
  });
});

it('operations are listed with what they take and answer', () => {
  const [get, put] = operationsOf(SHOP as never);
  expect(get).toMatchObject({
    ...{ name: 'getOrder', method: 'get', path: '/orders/{id}', deprecated: false },
    at: ['paths', '/orders/{id}', 'get'],
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { value: { type: 'integer' } } },
      { name: 'verbose', in: 'query', required: false, description: 'Says more.' },
      {
        name: 'X-Trace',
        in: 'header',
        schema: { path: ['components', 'parameters', 'Trace', 'schema'] },
      },
      { name: 'session', in: 'cookie' },
    ],
    responses: [
      {
        status: '200',
        schema: { value: ref('Order') },
        headers: [{ name: 'X-Rate', required: true }],
      },
      { status: '404', at: ['components', 'responses', 'NotFound'] },
      { status: '409' },
      { status: 'default' },
    ],
  });
  expect(get?.body).toBeUndefined();
  expect(put).toMatchObject({ name: 'put /orders/{id}', body: { required: true }, responses: [] });
});
