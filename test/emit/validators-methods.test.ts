import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Party, Protocol } from '../../generator/ir/index.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { emitted } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';
import { sized } from '../support/size.js';

/** Methods of the same length, with the same characters in the same places, and others. */
const METHODS = ['ab/c', 'ab/d', 'cb/c', 'cb/d', 'a', 'b', 'abc'];
const PARTIES: readonly Party[] = ['client', 'server'];

const id: JsonSchema = { type: ['string', 'integer'] };
const message = (
  properties: Record<string, JsonSchema>,
  required: readonly string[],
): JsonSchema => ({
  type: 'object',
  properties: { jsonrpc: { const: '2.0' }, ...properties },
  required: ['jsonrpc', ...required],
});

/** The params of all messages, and the result of all answers. */
const bases = fc.constantFrom<JsonSchema>(
  { type: 'object' },
  { type: 'object', properties: { _meta: { type: 'object' } } },
  { type: 'object', properties: { a: {} }, additionalProperties: {} },
  { type: 'object', properties: { _meta: { type: 'object' } }, required: ['_meta'] },
);

const params = fc.constantFrom<JsonSchema | undefined>(
  ...[undefined, {}, { type: 'object' }, { type: 'object', properties: { a: { type: 'string' } } }],
  ...[
    { type: 'object', properties: { a: { const: 1 }, _meta: { type: 'object' } }, required: ['a'] },
  ],
  ...[{ type: 'object', properties: { link: { type: 'string', format: 'uri' } } }],
  { type: 'object', additionalProperties: { type: 'number' } },
  { not: { type: 'string' } },
  { anyOf: [{ type: 'object', required: ['a'] }, { $ref: '#/$defs/Result0' }] },
);

const sent = fc.record({
  method: fc.constantFrom(...METHODS),
  senders: fc.subarray([...PARTIES], { minLength: 1 }),
  params,
  isRequired: fc.boolean(),
  /** What the definition says of a message beside its params. */
  more: fc.constantFrom<Record<string, JsonSchema>>({}, {}, {}, { note: { type: 'string' } }),
  isOpen: fc.boolean(),
  results: fc.subarray(['Result0', 'Result1', 'Result2'], { maxLength: 2 }),
});

const drawn = fc.record({
  base: bases,
  result: bases,
  requests: fc.array(sent, { minLength: 1, maxLength: 5 }),
  notifications: fc.array(sent, { maxLength: 3 }),
});

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Sent = Drawn<typeof sent>;
type Definitions = Record<string, JsonSchema>;

const definitionOf = (
  { method, params, isRequired, more, isOpen }: Sent,
  isRequest: boolean,
): JsonSchema => ({
  ...(message(
    {
      ...(isRequest && { id }),
      method: { const: method },
      ...(params !== undefined && { params }),
      ...more,
    },
    [
      ...(isRequest ? ['id'] : []),
      'method',
      ...(params !== undefined && isRequired ? ['params'] : []),
    ],
  ) as object),
  ...(isOpen && { additionalProperties: {} }),
});

function made({ base, result, requests, notifications }: Drawn<typeof drawn>): {
  definitions: Definitions;
  protocol: Protocol;
} {
  const text: JsonSchema = { type: 'string' };
  const definitions: Definitions = {
    JSONRPCRequest: message({ id, method: text, params: base }, ['id', 'method']),
    JSONRPCNotification: message({ method: text, params: base }, ['method']),
    JSONRPCResultResponse: message({ id, result }, ['id', 'result']),
    JSONRPCErrorResponse: message({ id, error: { type: 'object' } }, ['error']),
    Result0: { type: 'object', properties: { r: { type: 'string' } }, required: ['r'] },
    Result1: { type: 'object', properties: { s: { type: 'number' } }, required: ['s'] },
    Result2: { type: 'object', properties: { r: { type: 'number' }, s: {} } },
    ...Object.fromEntries(
      requests.map((each, index) => [`R${String(index)}`, definitionOf(each, true)]),
    ),
    ...Object.fromEntries(
      notifications.map((each, index) => [`N${String(index)}`, definitionOf(each, false)]),
    ),
  };
  const common = (each: Sent, definition: string) => ({
    method: each.method,
    definition,
    senders: each.senders,
    params: each.params === undefined ? undefined : { required: each.isRequired },
    capabilities: [],
  });
  return {
    definitions,
    protocol: {
      ...protocolOf(definitions),
      requests: requests.map((each, index) => ({
        ...common(each, `R${String(index)}`),
        ...{ carrier: 'message' as const, results: each.results, augmentable: false },
      })),
      notifications: notifications.map((each, index) => common(each, `N${String(index)}`)),
    },
  };
}

const PARAMS: readonly unknown[] = [
  ...[undefined, {}, [], { a: 'x' }, { a: 1 }, { a: 1, _meta: {} }, { _meta: 1 }, { _meta: {} }],
  ...[{ link: 'no uri' }, { a: {} }, { r: '' }, 5],
];
const RESULTS: readonly unknown[] = [
  {},
  { r: '' },
  { r: 1 },
  { s: 1 },
  { s: '' },
  { _meta: {}, r: '', s: 1 },
  5,
];

it('messages of drawn protocols are accepted as by their definitions together', async () => {
  const verdicts = { true: 0, false: 0 };
  for (const each of fc.sample(drawn, { numRuns: sized(100), seed: 49 })) {
    const { definitions, protocol } = made(each);
    const { exports } = await emitted(protocol);
    const { validateMessage, validateResultOf } = exports as Record<
      string,
      (...args: unknown[]) => { ok: boolean; code?: number }
    >;
    const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
    ajv.addSchema({ $id: 'all', $defs: definitions });
    const accepts = (name: string, value: unknown): boolean =>
      ajv.getSchema(`all#/$defs/${name}`)?.(value) === true;
    for (const kind of ['R', 'N'] as const) {
      const all = kind === 'R' ? each.requests : each.notifications;
      const envelope = kind === 'R' ? 'JSONRPCRequest' : 'JSONRPCNotification';
      for (const from of PARTIES)
        for (const method of [...METHODS, 'zz/z', 'ab/e'])
          for (const params of PARAMS)
            for (const more of [{}, { note: 1 }, { note: '' }]) {
              const value = {
                jsonrpc: '2.0',
                ...(kind === 'R' && { id: 1 }),
                method,
                ...(params !== undefined && { params }),
                ...more,
              };
              const own = all.flatMap((one, index) =>
                one.method === method && one.senders.includes(from)
                  ? [`${kind}${String(index)}`]
                  : [],
              );
              const expected = accepts(envelope, value) && own.some((name) => accepts(name, value));
              const verdict = validateMessage?.(value, { from });
              verdicts[`${expected}`] += 1;
              if (verdict?.ok !== expected)
                expect.fail(JSON.stringify({ each, value, from, expected, verdict }));
              if (own.length === 0 && accepts(envelope, value)) expect(verdict.code).toBe(-32601);
            }
    }
    for (const method of METHODS) {
      const names = each.requests.flatMap((one) => (one.method === method ? one.results : []));
      for (const result of RESULTS) {
        const verdict = validateResultOf?.(method, result);
        const expected = names.some((name) => accepts(name, result));
        if (verdict?.ok !== expected)
          expect.fail(JSON.stringify({ each, method, result, expected, verdict }));
      }
    }
  }
  expect(verdicts.true).toBeGreaterThan(500);
});
