import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMasked, messageMasker } from '../../contracts/validate/secrets/index.js';
import { coreRecording, extRecording, SECRETS } from '../report/recordings.js';
import type { Line } from '../report/recordings.js';
import { sized } from '../support/size.js';
import { validateText } from './support.js';

type Json = Record<string, unknown>;

/** A recording with each message masked, as `record` writes it. */
function masked(lines: readonly Line[]): Line[] {
  const masker = messageMasker();
  return lines.map((line) => ({ ...line, message: masker.message(line.message) as Json }));
}

const text = (lines: readonly object[]): string =>
  lines.map((each) => `${JSON.stringify(each)}\n`).join('');

async function verdict(lines: readonly object[]): Promise<string[]> {
  const { findings } = await validateText(text(lines));
  return findings.map(({ line, code, severity }) => `${String(line)} ${code} ${severity}`);
}

/** Values that are masked, and values that break a definition. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    'Bearer abc.def',
    'https://ann:pw@example.org/?token=x',
    'sk-' + 'a'.repeat(20),
    '{"password":"x"}',
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const key = fc.constantFrom(
  ...['token', 'password', 'credentials', 'uri', 'name', 'requestState', 'content', 'cursor'],
  ...['taskId', 'requestedSchema', 'inputSchema', 'type', 'progressToken', '_meta', '__proto__'],
);

/** Replaces or adds a value in an object or array somewhere below, by these choices. */
function change(target: unknown, choices: readonly number[], name: string, put: unknown): void {
  const [first = 0, ...rest] = choices;
  if (Array.isArray(target)) {
    if (target.length > 0) change(target[first % target.length], rest, name, put);
    return;
  }
  if (typeof target !== 'object' || target === null) return;
  const keys = Object.keys(target);
  const below = keys.filter((each) => typeof (target as Json)[each] === 'object');
  if (rest.length > 0 && below.length > 0) {
    change((target as Json)[below[first % below.length] ?? ''], rest, name, put);
    return;
  }
  const at = first % 2 === 0 ? name : (keys[first % keys.length] ?? name);
  Object.defineProperty(target, at, { value: put, enumerable: true, configurable: true });
}

const edits = fc.array(
  fc.record({
    line: fc.nat(),
    choices: fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 5 }),
    key,
    value,
  }),
  { maxLength: 5 },
);

describe('a masked recording', () => {
  it.each([
    ['the core protocol', coreRecording(40)],
    ['the extension', extRecording(40)],
  ])('of %s has the findings of the original, whatever is wrong in it', async (_, recording) => {
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        const lines = structuredClone<Line[]>(recording);
        for (const { line, choices, key: name, value: put } of changes) {
          change(lines[line % lines.length]?.message, choices, name, put);
        }
        expect(await verdict(masked(lines))).toEqual(await verdict(lines));
      }),
      { numRuns: sized(60) },
    );
  });

  it('contains no secret', () => {
    for (const recording of [coreRecording(60), extRecording(60)]) {
      const shown = text(masked(recording));
      for (const secret of Object.values(SECRETS)) expect(shown).not.toContain(secret);
    }
  });

  it('is masked again to itself', () => {
    const again = masked(masked(extRecording(60)));
    const once = masked(again);
    expect(once).toEqual(again);
  });
});

describe('a mask', () => {
  const { message } = messageMasker();

  it('keeps types, and shows which secrets are equal', () => {
    const shown = message({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'log_in',
        arguments: { password: 'one', token: 'two', apiKey: 'one', pin: 1234, secret: [true, ''] },
      },
    }) as { params: { name: string; arguments: Json } };
    const { password, token, apiKey, pin, secret } = shown.params.arguments;
    expect(shown.params.name).toBe('log_in');
    expect([password, token].map((each) => isMasked(String(each)))).toEqual([true, true]);
    expect(apiKey).toBe(password);
    expect(token).not.toBe(password);
    expect(pin).toBe(0);
    expect(secret).toEqual([false, '']);
  });

  it('in a URI leaves a URI, and keeps the rest', () => {
    const shown = message({ uri: 'https://ann:pw@example.org/a?token=x&b=2' }) as { uri: string };
    expect(shown.uri).toMatch(
      /^https:\/\/\*masked:\w+\*@example\.org\/a\?token=\*masked:\w+\*&b=2$/,
    );
  });

  it('of another recording has another key', () => {
    const other = messageMasker().message;
    expect(other({ token: 'a' })).not.toEqual(message({ token: 'a' }));
  });

  it('replaces the answers of a form, also of one with a field "type"', () => {
    const answer = { id: 1, result: { action: 'accept', content: { type: 'x', name: 'Ann' } } };
    const shown = JSON.stringify(message(answer, 'elicitation/create'));
    expect(shown).not.toContain('Ann');
    expect(shown).not.toContain('"x"');
  });

  it('leaves bytes and the names of tools', () => {
    const plain = {
      tools: [{ name: 'npm_install_package', inputSchema: { type: 'object' } }],
      content: [{ type: 'image', mimeType: 'image/png', data: 'AKIAAAAAAAAAAAAAAAAA' }],
      contents: [{ uri: 'file:///a', blob: 'eyJhbGciOiJI.eyJhbGci.x' }],
    };
    expect(message({ id: 1, result: plain })).toEqual({ id: 1, result: plain });
  });

  const secretive = {
    type: 'object',
    title: 'Login',
    properties: {
      password: { type: 'string', default: 'ann', examples: ['x'], enum: ['alpha', 'beta'] },
      apiKey: { type: 'integer', default: 100, minimum: 1, const: 100 },
      token: { $ref: '#/$defs/token', description: 'The token of the account' },
      default: { type: 'string', const: 'Bearer abc.def' },
      auth: {
        properties: { user: { default: 'ann' } },
        additionalProperties: false,
        dependentRequired: { secret: ['user'] },
      },
    },
    patternProperties: { '^password=.*$': { pattern: '^password=[a-z]+$' } },
    dependencies: { secret: ['password'] },
    if: { properties: { secret: { enum: [['Authorization', 'Basic'], { password: 'x' }] } } },
    $defs: { token: { enum: ['Bearer abc.def', 1, true] }, 'token=abc': true },
    required: ['password', 'token'],
  };
  const inDialects: Readonly<Record<string, (schema: object) => object>> = {
    'a list of tools': (schema) => ({
      id: 1,
      result: { tools: [{ name: 'x', inputSchema: schema, outputSchema: schema }] },
    }),
    'a question': (schema) => ({
      id: 1,
      method: 'elicitation/create',
      params: { message: 'Who?', requestedSchema: schema },
    }),
    'a result that asks': (schema) => {
      const params = { message: 'Who?', requestedSchema: schema };
      const inputRequests = { q: { method: 'elicitation/create', params } };
      return { id: 1, result: { resultType: 'input_required', inputRequests } };
    },
    'tools for a model': (schema) => ({
      id: 1,
      method: 'sampling/createMessage',
      params: { messages: [], tools: [{ name: 'x', inputSchema: schema }] },
    }),
  };

  it.each(Object.entries(inDialects))('leaves the schemas of %s', (_, messageOf) => {
    const sent = messageOf(secretive);
    expect(message(sent)).toBe(sent);
  });

  it.each(['title', 'description', '$comment', 'default', 'examples'])(
    'replaces a credential in "%s" of a schema',
    (keyword) => {
      const text = 'Send Bearer ZqExample1234567';
      const schemaOf = (each: string) => ({
        properties: { password: { type: 'string', [keyword]: each } },
      });
      const shown = JSON.stringify(message(inDialects['a question']?.(schemaOf(text))));
      expect(shown).not.toContain('ZqExample');
      expect(shown).toContain('"type":"string"');
    },
  );
});

it('has no finding about the content of a form that is masked', async () => {
  const requestedSchema = {
    type: 'object',
    properties: { status: { type: 'string', enum: ['active', 'pending'] } },
    required: ['status'],
  };
  const answers = async (content: object, isShown: boolean): Promise<string[]> => {
    const { message } = messageMasker();
    const reply = { jsonrpc: '2.0', id: 7, result: { action: 'accept', content } };
    const form = { mode: 'form', message: 'How is it?', requestedSchema };
    const all = await verdict([
      ...coreRecording(1).slice(0, 3),
      {
        direction: 'server->client',
        message: { jsonrpc: '2.0', id: 7, method: 'elicitation/create', params: form },
      },
      {
        direction: 'client->server',
        message: isShown ? reply : message(reply, 'elicitation/create'),
      },
    ]);
    return all.filter((each) => each.includes('wrong-form-content'));
  };
  expect(await answers({ status: 'other' }, true)).toHaveLength(1);
  expect(await answers({ status: 'active' }, true)).toEqual([]);
  expect(await answers({ status: 'active' }, false)).toEqual([]);
});
