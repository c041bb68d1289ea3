import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageMasker } from '../../contracts/validate/secrets/index.js';
import { answer, call, initialized, INITIALIZE, lines, validateText } from './support.js';
import { sized } from '../support/size.js';

/** Properties whose names are those of secrets, and others. */
const PROPERTIES = {
  password: { type: 'string', minLength: 3, maxLength: 6, pattern: '^[a-z]+$' },
  pin: { type: 'integer', minimum: 1000 },
  token: { type: 'string', enum: ['alpha', 'beta'] },
  credentials: {
    type: 'object',
    properties: {
      user: { type: 'string', maxLength: 5 },
      saved: { type: 'boolean', enum: [true] },
    },
    required: ['user'],
  },
  city: { type: 'string', enum: ['Rome', 'Oslo'] },
  count: { type: 'integer', minimum: 1 },
};
const SCHEMA = { type: 'object', properties: PROPERTIES, required: ['city', 'password'] };
const FORM = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 9 },
    mail: { type: 'string', format: 'email' },
    age: { type: 'integer', minimum: 18 },
    news: { type: 'boolean' },
    size: { type: 'string', enum: ['S', 'M'] },
  },
  required: ['name', 'age'],
};

const wrongType = fc.constantFrom<unknown>(5000, true, null, ['a']);
const wrongValues: readonly unknown[] = ['Bonn', 0, -1, false];
const one = (...values: unknown[]) => fc.constantFrom(...values);

/** Values whose secrets are valid, or of another type, which a mask keeps. */
const values = fc.record(
  {
    password: fc.oneof(one('abc', 'secret'), wrongType),
    pin: one(1234, 9999, 'text', true),
    token: fc.oneof(one('alpha', 'beta'), wrongType),
    credentials: one(
      { user: 'ann', saved: true },
      { user: 'bob' },
      { saved: true },
      { user: 5000 },
    ),
    city: fc.oneof(one('Rome', 'Oslo'), one(...wrongValues)),
    count: fc.oneof(one(1, 2), one(...wrongValues)),
  },
  { requiredKeys: [] },
);
const answers = fc.record(
  {
    name: fc.oneof(one('Ann', 'Bert'), wrongType),
    mail: one('a@example.org', 7),
    age: one(18, 99, 'old'),
    news: one(true, false, 'yes'),
    size: one('S', 'M', 5),
  },
  { requiredKeys: [] },
);
function conversation(input: object, output: object, content: object): object[] {
  const tool = { name: 'log_in', inputSchema: SCHEMA, outputSchema: SCHEMA };
  const start = { ...INITIALIZE.params, capabilities: { elicitation: {} } };
  const question = { mode: 'form', message: 'Who?', requestedSchema: FORM };
  const from = (direction: string) => (message: object) => ({ direction, message });
  const [client, server] = [from('c2s'), from('s2c')];
  return [
    client({ ...INITIALIZE, params: start }),
    server(initialized()),
    client({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    client(call(1, {}, 'tools/list')),
    server(answer(1, { tools: [tool] })),
    client(call(2, { name: 'log_in', arguments: input })),
    server(call(1, question, 'elicitation/create')),
    client(answer(1, { action: 'accept', content })),
    server(answer(2, { content: [], structuredContent: output })),
  ];
}

async function verdict(recording: readonly object[]): Promise<string[]> {
  const { findings } = await validateText(lines(...recording));
  return findings.map(({ line, code, severity }) => `${String(line)} ${code} ${severity}`);
}

function masked(recording: readonly object[]): object[] {
  const masker = messageMasker();
  return recording.map((each) => ({
    ...each,
    message: masker.message((each as { message: unknown }).message),
  }));
}

describe('a masked recording with schemas of tools and forms', () => {
  it('has the findings of the original, when the secrets in it are valid or have another type', async () => {
    const codes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(values, values, answers, async (input, output, content) => {
        const recording = conversation(input, output, content);
        const expected = await verdict(recording);
        for (const each of expected) codes.add(each.split(' ')[1] ?? '');
        expect(await verdict(masked(recording))).toEqual(expected);
      }),
      { numRuns: sized(200) },
    );
    const compared = ['wrong-arguments', 'wrong-form-content', 'wrong-structured-content'];
    expect([...codes].filter((code) => code.startsWith('wrong-')).toSorted()).toEqual(compared);
  });
});
