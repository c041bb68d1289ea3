import { expect } from 'vitest';
import { emitUnits, namedParts } from '../../generator/emit/index.js';
import type { Diagnostic } from '../../generator/diagnostics/index.js';
import type { Protocol } from '../../generator/ir/index.js';
import { protocolFromSource } from '../../generator/protocol/protocol.js';
import { supportFiles } from '../support/emitted.js';
import { checkTypes } from '../support/ts-check.js';
import type { createCompiler } from './compiled.js';

export const ref = (name: string, group = 'schemas') => ({ $ref: `#/components/${group}/${name}` });
export const json = (schema: object) => ({ content: { 'application/json': { schema } } });

const ORDER = {
  type: 'object',
  required: ['id', 'lines', 'secret'],
  properties: {
    id: { type: 'string', readOnly: true },
    secret: { type: 'string', writeOnly: true },
    lines: { type: 'array', items: ref('Line') },
    item: ref('Item'),
  },
};

/** A shop of the shape that frameworks write. */
export const SHOP = {
  openapi: '3.1.0',
  servers: [{ url: 'https://example.com' }],
  security: [{ key: [] }],
  paths: {
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        operationId: 'getOrder',
        security: [{ key: [] }],
        parameters: [
          { name: 'verbose', in: 'query', description: 'Says more.', schema: { type: 'boolean' } },
          ref('Trace', 'parameters'),
          { name: 'Accept', in: 'header', schema: { type: 'string' } },
          { name: 'session', in: 'cookie', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            headers: { 'X-Rate': { required: true, schema: { type: 'integer' } } },
            content: { 'application/json': { schema: ref('Order') }, 'application/xml': {} },
            links: { next: {} },
          },
          404: ref('NotFound', 'responses'),
          409: json(ref('Problem')),
          default: json({ type: 'object', properties: { code: { type: 'integer' } } }),
        },
      },
      put: {
        requestBody: ref('Order', 'requestBodies'),
        responses: { 204: { description: 'Done' } },
        callbacks: { done: {} },
      },
    },
    '/orders': {
      post: {
        operationId: 'add-order',
        requestBody: { required: true, ...json({ type: 'array', items: ref('Order') }) },
        responses: { 201: { content: { '*/*': { schema: ref('Order') } } } },
      },
    },
    'x-more': { get: {} },
  },
  components: {
    parameters: { Trace: { name: 'X-Trace', in: 'header', schema: { type: 'string' } } },
    requestBodies: { Order: { required: true, ...json(ref('Order')) } },
    responses: {
      NotFound: json({ type: 'object', required: ['title'], properties: { title: {} } }),
    },
    schemas: {
      Order: ORDER,
      Line: {
        allOf: [
          ref('Base'),
          { required: ['id', 'count'], properties: { count: { type: 'integer' } } },
        ],
      },
      Base: { type: 'object', properties: { id: { type: 'integer', readOnly: true } } },
      Item: { type: 'object', properties: { price: { type: 'number', example: 1 } } },
      Problem: { type: 'object' },
    },
  },
};

/** A document as `generate` reads it, its inline parts named. */
export function readApi(
  document: object,
  at?: readonly string[],
): { readonly protocol: Protocol; readonly diagnostics: readonly Diagnostic[] } {
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    ...document,
  });
  const { protocol, diagnostics } = protocolFromSource({
    label: 'api.json',
    text,
    ...(at && { at }),
  });
  return { protocol: namedParts(protocol), diagnostics };
}

export const namesOf = ({ definitions }: Protocol): string[] => definitions.map(({ name }) => name);

/** What the validators of definitions say of values; the Zod schemas have to say the same. */
export async function checker(
  compiler: ReturnType<typeof createCompiler>,
  protocol: Protocol,
): Promise<(name: string, value: unknown) => boolean> {
  const { validators, zod } = await compiler.modules(protocol);
  return (name, value) => {
    const verdict = validators[`is${name}`]?.(value) === true;
    const shown = `${name} ${JSON.stringify(value)}`;
    expect(zod[`${name}Schema`]?.safeParse(value).success, shown).toBe(verdict);
    return verdict;
  };
}

/** The errors of the compiler in emitted types and validators, and in modules that import the `types`. */
export async function typeErrors(
  cases: readonly { readonly protocol: Protocol; readonly module: string }[],
): Promise<string[]> {
  const files: Record<string, string> = {};
  for (const [index, { protocol, module }] of cases.entries()) {
    const units = await emitUnits(protocol, ['types', 'validators']);
    for (const { path, text } of units) files[`${String(index)}/${path}`] = text;
    files[`${String(index)}/use.ts`] = `import type * as types from './types.js';\n${module}`;
  }
  return checkTypes({ ...supportFiles(Object.values(files)), ...files }, () => true);
}
