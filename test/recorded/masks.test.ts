import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRecording } from '../../contracts/index.js';
import { temporary } from '../client-commands/terminal.js';
import { sized } from '../support/size.js';

type Schema = Readonly<Record<string, unknown>>;

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => Ajv2020;
const ajv = addFormats(new Ajv2020({ strict: false }));

/** Schemas of secrets, each with values that it accepts. */
const SECRETS: readonly (readonly [Schema, fc.Arbitrary<unknown>])[] = [
  [{ type: 'string' }, fc.string({ minLength: 1 })],
  [{ type: 'string', format: 'uuid' }, fc.uuid()],
  [
    { type: 'string', format: 'email' },
    fc.emailAddress().filter((each) => accepts({ format: 'email' }, each)),
  ],
  [{ type: 'string', format: 'uri' }, fc.webUrl()],
  [
    { type: 'string', format: 'date-time' },
    fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((each) => each.toISOString()),
  ],
  [{ type: 'string', format: 'ipv4' }, fc.ipV4()],
  [{ type: 'string', enum: ['alpha', 'beta'] }, fc.constantFrom('alpha', 'beta')],
  [{ const: 'alpha' }, fc.constant('alpha')],
  [
    { type: 'string', minLength: 4, maxLength: 8 },
    fc.string({ minLength: 4, maxLength: 8, unit: 'grapheme-ascii' }),
  ],
  [{ type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' }, fc.stringMatching(/^[A-Z]{3}-[0-9]{4}$/)],
  [{ type: 'string', pattern: '^Bearer [a-z]{5}$' }, fc.stringMatching(/^Bearer [a-z]{5}$/)],
  [{ type: 'string', maxLength: 12, pattern: '^user-' }, fc.stringMatching(/^user-[a-z0-9]{1,7}$/)],
  [{ type: 'integer', minimum: 1000, maximum: 9999 }, fc.integer({ min: 1000, max: 9999 })],
  [
    { type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 },
    fc.integer({ min: 1, max: 99 }).map((each) => each / 2),
  ],
  [{ const: true }, fc.constant(true)],
  [
    { anyOf: [{ format: 'uuid' }, { type: 'integer', minimum: 5 }] },
    fc.oneof(fc.uuid(), fc.integer({ min: 5 })),
  ],
  [
    { type: 'array', items: { type: 'string', format: 'uuid' } },
    fc.array(fc.uuid(), { maxLength: 3 }),
  ],
  [
    { type: 'object', properties: { user: { type: 'string', maxLength: 5 } }, required: ['user'] },
    fc.record({ user: fc.string({ minLength: 1, maxLength: 5, unit: 'grapheme-ascii' }) }),
  ],
];

function accepts(schema: Schema, value: unknown): boolean {
  return ajv.validate(schema, value);
}

const NAMES = ['password', 'token', 'apiKey', 'secret', 'credentials', 'pin'];

/** A schema of some secrets with a value that it accepts. */
function casesOf(secrets: typeof SECRETS) {
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...secrets)), {
      selector: ([name]) => name,
      minLength: 1,
      maxLength: 4,
    })
    .chain((all) => {
      const properties = Object.fromEntries(all.map(([name, [schema]]) => [name, schema]));
      const values = Object.fromEntries(all.map(([name, [, each]]) => [name, each]));
      const schema = { type: 'object', properties, additionalProperties: false } as const;
      return fc.record(values).map((value) => ({ schema, value }));
    });
}
const cases = casesOf(SECRETS);

/** Schemas that a value shows, and texts with letters or digits in each. */
const SHOWN = [
  ...[{ format: 'uuid' }, { format: 'email' }, { format: 'uri' }, { format: 'date-time' }],
  ...[{ format: 'ipv4' }, { minLength: 4 }, { pattern: '^[A-Z]{3}-\\d{4}$' }, { minimum: 1000 }],
].map((wanted) => {
  const [key, part] = Object.entries(wanted)[0] ?? [];
  return SECRETS.findIndex(([schema]) => schema[key ?? ''] === part);
});
const unlisted = casesOf(
  SHOWN.map((index) => SECRETS[index]).filter((each) => each !== undefined),
).filter(({ value }) => Object.values(value).every((each) => /[a-z\d]/i.test(String(each))));

interface Line {
  readonly masked?: readonly string[];
  readonly message: { readonly params?: Schema; readonly result?: Schema };
}

/** What is recorded of a conversation: the list of tools, a call with its result, and an answer to a question. */
function recordingOf(schema: Schema, value: unknown, isListed = true) {
  const file = join(temporary(), 'session.jsonl');
  const problems: string[] = [];
  const recording = openRecording(file, { onProblem: (problem) => problems.push(problem) });
  const session = recording.begin();
  const write = (from: 'client' | 'server', message: object): void =>
    recording.write({ from, session, message: { jsonrpc: '2.0', ...message } });
  const tool = { name: 'log_in', inputSchema: schema, outputSchema: schema };
  const list = [
    { id: 1, method: 'tools/list' },
    { id: 1, result: { tools: [tool] } },
  ] as const;
  if (isListed) {
    write('client', list[0]);
    write('server', list[1]);
  }
  write('client', { id: 2, method: 'tools/call', params: { name: 'log_in', arguments: value } });
  const params = { message: 'Who?', requestedSchema: schema };
  write('server', { id: 3, method: 'elicitation/create', params });
  write('client', { id: 3, result: { action: 'accept', content: value } });
  write('server', { id: 2, result: { content: [], structuredContent: value } });
  recording.close();
  const text = readFileSync(file, 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const [called, , answered, ended] = lines.slice(isListed ? 2 : 0);
  const parts = {
    '/params/arguments': called?.message.params?.['arguments'],
    '/result/content': answered?.message.result?.['content'],
    '/result/structuredContent': ended?.message.result?.['structuredContent'],
  };
  return { text, lines, parts, problems };
}

describe('the masks of a recording', () => {
  it('fit the schemas that their values belong to', () => {
    fc.assert(
      fc.property(cases, ({ schema, value }) => {
        fc.pre(accepts(schema, value));
        const { parts, problems } = recordingOf(schema, value);
        for (const [place, part] of Object.entries(parts)) {
          expect(accepts(schema, part), JSON.stringify([place, part])).toBe(true);
        }
        expect(problems).toEqual([]);
      }),
      { numRuns: sized(300) },
    );
  });

  it('show what is equal, and not what it is', () => {
    const uuid = { type: 'string', format: 'uuid' };
    const schema = { type: 'object', properties: { token: uuid, apiKey: uuid, secret: uuid } };
    const [one, other] = [
      '0b0e8a2c-5c0f-4f7e-9d5a-0123456789ab',
      'ffffffff-5c0f-4f7e-9d5a-0123456789ab',
    ];
    const { parts, text } = recordingOf(schema, { token: one, apiKey: other, secret: one });
    const shown = parts['/params/arguments'] as Record<string, string>;
    expect(shown['token']).toBe(shown['secret']);
    expect(shown['token']).not.toBe(shown['apiKey']);
    expect(parts['/result/structuredContent']).toEqual(shown);
    expect(text).not.toContain('0123456789ab');
  });

  it('stay marks where the schema accepts marks', () => {
    const schema = { type: 'object', properties: { token: { type: 'string', maxLength: 17 } } };
    const { parts, lines } = recordingOf(schema, { token: 'Zq1234567' });
    for (const part of Object.values(parts)) {
      expect((part as Record<string, string>)['token']).toMatch(/^\*masked:[0-9a-f]{8}\*$/);
    }
    expect(lines.every(({ masked }) => masked === undefined)).toBe(true);
  });

  it('are named where they look like values', () => {
    const schema = {
      type: 'object',
      properties: {
        pin: { type: 'integer' },
        'a/token': { maxLength: 9 },
        credentials: { type: 'array' },
      },
    };
    const { lines } = recordingOf(schema, {
      pin: 1234,
      'a/token': 'Zq1234567',
      credentials: ['Zq1234567', true],
    });
    expect(lines[2]?.masked).toEqual([
      '/params/arguments/pin',
      '/params/arguments/a~1token',
      '/params/arguments/credentials/1',
    ]);
  });

  it('keep type, length, shape and format where the tool is listed later', () => {
    fc.assert(
      fc.property(unlisted, ({ schema, value }) => {
        const { parts, lines, text } = recordingOf(schema, value, false);
        for (const place of ['/params/arguments', '/result/structuredContent'] as const) {
          expect(accepts(schema, parts[place]), JSON.stringify([place, parts[place]])).toBe(true);
        }
        for (const each of Object.values(value)) {
          if (String(each).length > 8) expect(text).not.toContain(JSON.stringify(each));
        }
        const pointers = Object.keys(value).map((name) => `/params/arguments/${name}`);
        expect(lines[0]?.masked).toEqual(pointers);
      }),
      { numRuns: sized(300) },
    );
  });

  it('of a long text take time linear in its length', () => {
    const { text } = recordingOf(
      { type: 'object' },
      { token: 'Zq1234567 '.repeat(300_000) },
      false,
    );
    expect(text).not.toContain('Zq1234567');
  });

  it('are left out where the schema accepts none, which is said once for each place', () => {
    const hash = { type: 'string', not: { pattern: '^(?!secret-7$)' } };
    const schema = {
      type: 'object',
      properties: {
        list: { type: 'array', items: { properties: { token: hash } } },
        pin: { type: 'integer' },
      },
    };
    const value = { list: [{ token: 'secret-7' }, { token: 'secret-7' }], pin: 77_123 };
    expect(accepts(schema, value)).toBe(true);
    const { parts, problems, text } = recordingOf(schema, value);
    expect(accepts(schema, parts['/params/arguments'])).toBe(true);
    expect(problems).toEqual([
      'The value at "/params/arguments/list/0/token" is recorded as it is, because the schema of the tool "log_in" accepts no mask.',
      'The value at "/result/content/list/0/token" is recorded as it is, because the schema of a question accepts no mask.',
      'The value at "/result/structuredContent/list/0/token" is recorded as it is, because the schema of the tool "log_in" accepts no mask.',
    ]);
    expect(text).not.toContain('77123');
  });

  it.each([
    ['is wrong', { type: 'object', properties: { token: { maxLength: 3 } } }],
    ['cannot be read', { type: 'object', properties: { token: { $ref: '#/nowhere' } } }],
    ['is no schema', { type: 'any' }],
  ])('stay marks where the value or its schema %s', (_, schema) => {
    const { text, problems } = recordingOf(schema, { token: 'Zq1234567' });
    expect(text).not.toContain('Zq1234567');
    expect(problems).toEqual([]);
  });

  it('take bounded time for a value with many secrets', () => {
    const token = { type: 'string', format: 'uuid', not: { pattern: '^(?!0)' } };
    const schema = { type: 'object', properties: { list: { items: { properties: { token } } } } };
    const uuid = '0b0e8a2c-5c0f-4f7e-9d5a-0123456789ab';
    const value = { list: Array.from({ length: 20_000 }, () => ({ token: uuid })) };
    expect(recordingOf(schema, value).text).not.toContain(uuid);
  });
});
