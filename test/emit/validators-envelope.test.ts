import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as core from '../../generated/2025-11-25/validators.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { emitted } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';
import { sized } from '../support/size.js';

const text: JsonSchema = { type: 'string' };
const bare: JsonSchema = { type: 'object' };
type Members = Readonly<Record<string, JsonSchema>>;
const message = (properties: Members, required: readonly string[], more = {}): JsonSchema => ({
  type: 'object',
  properties: { jsonrpc: { const: '2.0' }, ...properties },
  required: ['jsonrpc', ...required],
  ...more,
});
const id: JsonSchema = { type: ['string', 'integer'] };
const params = (properties: Members, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required: [...required],
});

/** A protocol with one request of a client; `own` are the limits of the request and of all requests. */
const protocol = (own: { readonly of?: Members; readonly all?: Members }) =>
  emitted(
    protocolOf({
      JSONRPCRequest: message({ id, method: text, params: bare, ...own.all }, [
        'id',
        'method',
        ...Object.keys(own.all ?? {}),
      ]),
      JSONRPCNotification: message({ method: text, params: bare }, ['method']),
      JSONRPCResultResponse: message({ id, result: bare }, ['id', 'result']),
      JSONRPCErrorResponse: message({ id, error: bare }, ['error']),
      PaintRequest: message(
        {
          id,
          method: { const: 'paint' },
          params: params({ colour: text }, ['colour']),
          ...own.of,
        },
        ['id', 'method', 'params', ...Object.keys(own.of ?? {})],
      ),
      PaintResult: bare,
      ClientRequest: { anyOf: [{ $ref: '#/$defs/PaintRequest' }] },
    }),
  );

type Validate = (
  value: unknown,
  options: object,
) => { ok: boolean; errors?: { pointer: string }[] };

const judged = (validate: Validate, value: unknown): unknown => {
  const verdict = validate(value, { from: 'client' });
  return verdict.ok || (verdict.errors ?? []).map(({ pointer }) => pointer);
};

/** Paints; every request may have `_meta`, and every result has a `kind`. */
const described = () =>
  emitted(
    protocolOf({
      JSONRPCRequest: message(
        { id, method: text, params: { type: 'object', properties: { _meta: bare } } },
        ['id', 'method'],
      ),
      JSONRPCNotification: message({ method: text, params: bare }, ['method']),
      JSONRPCResultResponse: message({ id, result: params({ kind: text }, ['kind']) }, [
        'id',
        'result',
      ]),
      JSONRPCErrorResponse: message({ id, error: bare }, ['error']),
      PaintRequest: message(
        { id, method: { const: 'paint' }, params: params({ colour: text }, ['colour']) },
        ['id', 'method', 'params'],
      ),
      PaintResult: params({ area: { type: 'number' } }, []),
      WashRequest: message(
        {
          id,
          method: { const: 'wash' },
          params: params({ colour: text, _meta: { type: 'object', properties: { n: text } } }, []),
        },
        ['id', 'method'],
      ),
      WashResult: params({ kind: { const: 'clean' } }, ['kind']),
      ClientRequest: { anyOf: [{ $ref: '#/$defs/PaintRequest' }, { $ref: '#/$defs/WashRequest' }] },
    }),
  );

describe('the JSON-RPC members of a message', () => {
  const paint = { jsonrpc: '2.0', id: 1, method: 'paint', params: { colour: 'red' } };

  it.each([
    ['restrict nothing else', {}, true, []],
    ['stand beside a member of one request', { of: { canvas: text } }, ['/canvas'], ['/canvas']],
    ['stand beside a member of all requests', { all: { trace: text } }, ['/trace'], ['/trace']],
  ] as const)('%s', async (_, own, bareVerdict, missing) => {
    const { exports } = await protocol(own);
    const validate = exports['validateMessage'] as Validate;
    const whole = { ...paint, canvas: 'c', trace: 't' };
    expect(judged(validate, whole)).toBe(true);
    expect(judged(validate, paint)).toEqual(bareVerdict);
    expect(judged(validate, { ...whole, canvas: 5, trace: 5 })).toEqual(
      missing.length > 0 ? missing : true,
    );
    expect(judged(validate, { ...whole, params: {} })).toEqual(['/params/colour']);
    expect(judged(validate, { ...whole, id: null })).toEqual(['/id']);
    expect(judged(validate, { ...whole, method: 'sing' })).toEqual(['/method']);
  });

  it('restrict params and results that the definition of the method leaves open', async () => {
    const { exports } = await described();
    const validate = exports['validateMessage'] as Validate;
    const wash = { ...paint, method: 'wash' };
    for (const request of [paint, wash]) {
      expect(judged(validate, request)).toBe(true);
      expect(judged(validate, { ...request, params: { colour: 'red', _meta: {} } })).toBe(true);
      const wrong = { ...request, params: { colour: 'red', _meta: 5 } };
      expect(judged(validate, wrong)).toEqual(['/params/_meta']);
    }
    const answer = (method: string, result: object): unknown => {
      const options = { from: 'server', methodOf: () => method };
      const verdict = validate({ jsonrpc: '2.0', id: 1, result }, options);
      return verdict.ok || (verdict.errors ?? []).map(({ pointer }) => pointer);
    };
    expect(answer('paint', { area: 1, kind: 'clean' })).toBe(true);
    expect(answer('paint', { area: 1 })).toEqual(['/result/kind']);
    expect(answer('paint', { area: 'a', kind: 'clean' })).toEqual(['/result/area']);
    expect(answer('wash', { kind: 'clean' })).toBe(true);
    expect(answer('wash', { kind: 5 })).toContain('/result/kind');
  });

  it('may be inherited', () => {
    class Ping {
      get jsonrpc(): string {
        return '2.0';
      }
      get method(): string {
        return 'ping';
      }
      constructor(readonly id: number) {}
    }
    expect(core.validateMessage(new Ping(1), { from: 'client' })).toMatchObject({
      kind: 'request',
    });
    expect(core.isPingRequest(new Ping(1))).toBe(true);
  });

  it('have the same verdict, whatever messages the process has checked before', async () => {
    const validate = (await protocol({})).exports['validateMessage'] as Validate;
    const wrong = [undefined, null, 7, {}, 'paint'];
    const members = fc.shuffledSubarray(
      [
        ...(['2.0', '1.0'] as const).map((version) => ['jsonrpc', version] as const),
        ...['id', 'method', 'params', 'result', 'error', 'note'].flatMap((key) =>
          [...wrong, { colour: 'red' }].map((value) => [key, value] as const),
        ),
      ],
      { maxLength: 8 },
    );
    const right = fc.shuffledSubarray(Object.entries(paint), { minLength: 4 });
    const messages = fc.sample(fc.tuple(fc.oneof(members, right), fc.constantFrom(...CARRIERS)), {
      numRuns: sized(180),
      seed: 1,
    });
    const verdicts = (): unknown[] =>
      messages.map(([drawn, carry]) => judged(validate, carry(drawn)));
    const young = verdicts();
    for (let i = 0; i < 600; i += 1) {
      const first = `${String.fromCharCode(97 + (i % 26))}${String(i)}`;
      judged(validate, { [first]: i, ...paint });
    }
    expect(verdicts()).toEqual(young);
    expect(new Set(young.map((verdict) => verdict === true)).size).toBe(2);
  });
});

type Entries = readonly (readonly [key: string, value: unknown])[];

/** Objects with the same members: as parsed, of a class with getters, inherited, and without a prototype. */
const CARRIERS: readonly ((members: Entries) => object)[] = [
  (members) => Object.fromEntries(members),
  (members) => Object.create(hidden(members)) as object,
  (members) => Object.create(Object.fromEntries(members)) as object,
  (members) => Object.assign(Object.create(null) as object, Object.fromEntries(members)),
];

/** As the prototype of a class has its getters. */
function hidden(members: Entries): object {
  const target = {};
  for (const [key, value] of members) {
    Object.defineProperty(target, key, { get: () => value, configurable: true });
  }
  return target;
}
