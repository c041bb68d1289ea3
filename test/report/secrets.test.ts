import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printMessage } from '../../pages/findings/print.js';
import { MASK, maskString } from '../../contracts/validate/secrets/index.js';
import { isSecretName } from '../../contracts/validate/secrets/names.js';
import { MODELS } from '../explore/pages.js';
import { sized } from '../support/size.js';
import { coreRecording, extRecording, jsonl, SECRETS } from './recordings.js';
import { reportOf } from './reports.js';

const WORDS = [
  ['authorization'],
  ['proxy', 'authorization'],
  ['api', 'key'],
  ['x', 'api', 'key'],
  ['access', 'token'],
  ['refresh', 'token'],
  ['id', 'token'],
  ['client', 'secret'],
  ['password'],
  ['user', 'password'],
  ['cookie'],
  ['set', 'cookie'],
  ['private', 'key'],
  ['credentials'],
  ['passphrase'],
  ['mcp', 'session', 'id'],
  ['db', 'pass'],
  ['login', 'pin'],
  ['ssh', 'key'],
  ['session'],
  ['php', 'sessid'],
];
const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const STYLES: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join('_'),
  (words) => words.join('-'),
  (words) => words.map(upper).join('-'),
  (words) => words.join('_').toUpperCase(),
  (words) => words.map((word, index) => (index === 0 ? word : upper(word))).join(''),
  (words) => words.map(upper).join(''),
  (words) => words.join('.'),
];
const name = fc
  .tuple(fc.constantFrom(...WORDS), fc.constantFrom(...STYLES))
  .map(([words, style]) => style(words));
/** No word, and long enough to be found. */
const secret = fc.stringMatching(/^Zq[A-Za-z0-9]{9,19}[0-9]$/);

/** Ways in which a secret stands in a message. */
const WAYS: Readonly<Record<string, (name: string, secret: string) => unknown>> = {
  key: (key, value) => ({ [key]: value }),
  'key of an object': (key, value) => ({ [key]: { deep: [{ value }] } }),
  'key of a list': (key, value) => ({ [key]: [value] }),
  'list of headers': (header, value) => ({ headers: [{ name: header, value }] }),
  'pair of a list': (header, value) => [[header, value]],
  'raw headers': (header, value) => ['Host', 'x', header, value],
  'line of headers': (header, value) => `Host: x\r\n${header}: ${value}\r\nAccept: */*`,
  'JSON in a text': (key, value) => JSON.stringify({ a: [{ [key]: value }] }),
  'JSON in JSON': (key, value) => JSON.stringify({ a: JSON.stringify({ [key]: value }) }),
  'JSON inside a text': (key, value) => `The server said ${JSON.stringify({ [key]: value })}.`,
  'JSON inside a text, escaped': (key, value) =>
    `said ${JSON.stringify(JSON.stringify({ [key]: `a"b${value}` }))}`,
  assignment: (key, value) => `export ${key}=${value} && run`,
  query: (key, value) => `https://example.org/x?a=1&${key}=${value}&b=2#end`,
  'query, encoded': (key, value) =>
    `https://a.example/?next=${encodeURIComponent(`https://b.example/?${key}=${value}`)}`,
  fragment: (key, value) => `https://example.org/x#${key}=${value}`,
  user: (_, value) => `postgres://ann:${value}@example.org/db`,
  'user, with an at sign': (_, value) => `postgres://ann:p@${value}@example.org/db`,
  option: (_, value) => `mysql --password ${value} -e x`,
  login: (_, value) => `curl -u ann:${value} https://example.org`,
  'login in quotes': (_, value) => `curl --user "ann:p ${value}"`,
  'name of two words': (_, value) => `Your API key: ${value}`,
  'text in place of bytes': (key, value) => ({
    data: `${key}: ${value}`,
    mimeType: 'text/plain',
    blob: `${key}=${value}`,
    uri: 'file:///x',
  }),
  bearer: (_, value) => `curl -H 'X: bearer ${value}' https://example.org`,
  basic: (_, value) => `it sent Basic ${Buffer.from(value).toString('base64')} to it`,
  element: (key, value) => `<a><ns:${key} type="x">${value}</ns:${key}></a>`,
  'element, as entities': (key, value) => `&lt;${key}&gt;${value}&lt;/${key}&gt;`,
  'element with CDATA': (key, value) => `<${key}><![CDATA[${value}]]></${key}>`,
  'entry of a property list': (key, value) => `<key>${key}</key>\n  <string>${value}</string>`,
  'pair of attributes': (key, value) => `<add key="${key}" value="${value}"/>`,
  attribute: (key, value) => `<user ${key}="${value}" />`,
  'line of a netrc': (_, value) => `machine example.org login ann password ${value}`,
  'lines of a netrc': (_, value) => `machine localhost\n  login ann\n  password ${value}\n`,
  'line of a pgpass': (_, value) => `db.example.org:5432:*:ann:${value}`,
  'option of one letter': (_, value) => `mysql -u ann -p${value} shop`,
  'option of one letter, of any program': (_, value) => `run -p${value} -v`,
  'option of one letter, with a space': (_, value) => `sshpass -p ${value} ssh example.org`,
  'bearer in a key': (_, value) => ({ [`Bearer ${value}`]: 1 }),
};
const way = fc.constantFrom(...Object.keys(WAYS));

/** Ways in which a text with a secret is encoded inside another one. */
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 in lines': (text) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  'as in a URL': encodeURIComponent,
};
const encoding = fc.constantFrom(...Object.keys(ENCODINGS));
const AROUND: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `It sent ${text}.`,
  (text) => JSON.stringify({ body: text }),
  (text) => `data:application/json;base64,${text}`,
  (text) => `https://example.org/a/b?state=1&data=${text}#x`,
  (text) => JSON.stringify({ uri: 'file:///x', blob: text }),
];

/** All texts in a value, in any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe('a report without --show-secrets', () => {
  it('contains no secret, in any place and of any form', async () => {
    await fc.assert(
      fc.asyncProperty(way, name, secret, async (form, key, value) => {
        const part = WAYS[form]?.(key, value);
        const text = typeof part === 'string' ? part : JSON.stringify(part);
        const jsonrpc = '2.0';
        const page = await reportOf(
          jsonl([
            { jsonrpc, id: 1, method: 'tools/call', params: { name: part, arguments: part } },
            { jsonrpc, id: 1, result: { content: [{ type: 'text', text }], isError: part } },
            { jsonrpc, id: part, method: part, params: part },
            { jsonrpc, method: text, params: { taskId: text } },
            { jsonrpc, id: 2, error: { code: 1, message: text, data: part } },
            { jsonrpc, method: 'notifications/message', params: { level: 'info', data: part } },
            { direction: 'client', session: value, message: { jsonrpc, id: 3, method: 'ping' } },
            { jsonrpc, id: 4, method: 'tasks/get', params: { taskId: part, status: part } },
          ]),
        );
        expect(around(page, value)).toBe('');
        if (form === 'basic') expect(around(page, Buffer.from(value).toString('base64'))).toBe('');
      }),
      {
        numRuns: Object.keys(WAYS).length + sized(80),
        examples: Object.keys(WAYS).map((each) => [each, 'apiKey', 'ZqExample1234567']),
      },
    );
  });

  it('contains no encoded text with a secret, also when it is encoded twice', () => {
    fc.assert(
      fc.property(
        way,
        name,
        secret,
        fc.array(encoding, { minLength: 1, maxLength: 2 }),
        fc.constantFrom(...AROUND),
        (form, key, value, encodings, around) => {
          const part = WAYS[form]?.(key, value);
          const text = typeof part === 'string' ? part : JSON.stringify(part);
          const encoded = encodings.reduce((rest, each) => ENCODINGS[each]?.(rest) ?? rest, text);
          const shown = maskString(around(encoded));
          expect(shown).not.toContain(encoded);
          expect(shown).toContain(MASK);
        },
      ),
      { numRuns: sized(1_000) },
    );
  });

  it('contains no answer to a form, in both dialects, with and without its question', async () => {
    const content = {
      name: 'ZqAnswerName',
      list: ['ZqAnswerList'],
      deep: { text: 'ZqAnswerDeep', n: 77_123_451 },
    };
    const jsonrpc = '2.0';
    const ask = { jsonrpc, id: 5, method: 'elicitation/create', params: { message: 'Who?' } };
    const forms = [
      [ask, { jsonrpc, id: 5, result: { action: 'accept', content } }],
      [ask, { jsonrpc, id: 5, result: { content } }],
      [{ jsonrpc, id: 6, result: { action: 'accept', content } }],
      [
        {
          jsonrpc,
          id: 7,
          method: 'tasks/update',
          params: { inputResponses: { a: { action: 'accept', content } } },
        },
      ],
      [
        {
          jsonrpc,
          id: 7,
          method: 'tools/call',
          params: { name: 'x', inputResponses: { a: { content } } },
        },
      ],
      [
        {
          jsonrpc,
          id: 8,
          method: 'tools/call',
          params: { arguments: { raw: JSON.stringify({ action: 'accept', content }) } },
        },
      ],
    ];
    for (const form of forms) {
      const page = await reportOf(jsonl(form));
      for (const each of ['ZqAnswer', '77123451', '77,123,451'])
        expect(around(page, each)).toBe('');
      expect(page).toContain('‹masked›');
    }
  });

  it('contains no part of a line that is not JSON', async () => {
    const page = await reportOf(
      '{"jsonrpc":"2.0","password":"ZqBroken1\n{"jsonrpc":"2.0",ZqBroken2\n',
    );
    expect(around(page, 'ZqBroken')).toBe('');
    expect(page).toContain('not-json');
  });

  it('keeps what is no secret', () => {
    const value = {
      method: 'tools/call',
      params: { name: 'x', maxTokens: 100, _meta: { progressToken: 'p1' }, token_type: 'Bearer' },
      result: {
        tools: [
          {
            name: 'login',
            inputSchema: { properties: { password: { type: 'string', default: 'ZqDefault' } } },
          },
        ],
      },
    };
    const { text, masked } = print(value);
    expect(text).toContain('"maxTokens": 100');
    expect(text).toContain('"progressToken": "p1"');
    expect(text).toContain('"type": "string"');
    expect(text).toContain('ZqDefault');
    expect(masked).toBe(0);
  });

  it.each([
    'Bearers carry things. Basic arithmetic is fine, a token is a word.',
    'https://example.org/path?page=2&sort=name',
    'note: the meeting is at 10:30',
    'docker run -u 1000:1000 image',
    'The key: press it. The secret passage: find it.',
    'The session: it begins at 10:30, and session 2 at 11.',
    'mkdir -p a/b; docker run -p 8080:80 -p127.0.0.1:1:1 image; gcc -pthread -pg a.c',
    'ssh -p2222 example.org; tar -pxf a.tar; nmap -p1-1000 example.org',
    'The default password is set at the first login; the machine room has a password.',
    '<p>Passwords</p><b>The password</b> <passage>text</passage><passenger>Ann</passenger>',
    'aa:10:bb:cc:dd:ee 12:30:45:10:20 2026-07-28T10:30:00Z fe80::1:2:3:4',
    'deadbeefdeadbeefdeadbeefdeadbeef d41d8cd98f00b204e9800998ecf8427e',
    'aGVsbG8gd29ybGQsIHRoaXMgaXMgcGxhaW4gdGV4dA== %7B%22name%22%3A%22Ann%22%7D',
    'internationalization/localization_of-the-application',
  ])('keeps ordinary text: %s', (text) => {
    expect(maskString(text)).toBe(text);
  });

  it('keeps the descriptions of the protocol', () => {
    const texts = MODELS.flatMap(({ definitions }) => definitions).flatMap(textsIn);
    expect(texts.length).toBeGreaterThan(500);
    expect(texts.filter((text) => maskString(text) !== text)).toEqual([]);
  });

  it('masks few fields of the protocol', () => {
    const names = MODELS.flatMap(({ definitions }) =>
      definitions.flatMap(({ node }) => (node.kind === 'object' ? node.properties : [])),
    ).map((property) => property.name);
    expect([...new Set(names)].filter((each) => isSecretName(each, 1))).toEqual(['requestState']);
  });

  it('masks each text in linear time', () => {
    for (const unit of [
      'a',
      'a:',
      'a=',
      '"',
      '\\"',
      '?a=',
      'Basic ',
      '-----BEGIN PRIVATE KEY-----',
      'eyJ.',
      '://',
      'token:"',
      '-u a:',
      '-u a',
      'api key:',
      '%3Fa%3D',
      'mysql -p ',
      'mysql ',
      '<password>',
      '<a ',
      '<![CDATA[',
      '<key>a</key>',
      'key="a" ',
      'machine a login ',
      'machine a.b ',
      'a:1234:',
      ' -p',
      '%41',
      'AAAA',
    ]) {
      expect(maskString(unit.repeat(200_000)).length).toBeLessThan(400_000);
    }
    // A regular expression of a run of this length overflows.
    const longest = { text: { mark: () => '', longest: Infinity }, hide: () => '' };
    expect(maskString('x'.repeat(8_000_000), longest)).toHaveLength(8_000_000);
  });
});

describe('a report with --show-secrets', () => {
  it('contains the secrets that it masks otherwise', async () => {
    for (const lines of [coreRecording(60), extRecording(60)]) {
      const text = jsonl(lines);
      const own = Object.values(SECRETS).filter((each) => text.includes(each));
      expect(own.length).toBeGreaterThan(0);
      const [masked, shown] = [await reportOf(text), await reportOf(text, { showSecrets: true })];
      for (const each of own) {
        expect(around(masked, each)).toBe('');
        expect(around(shown, each)).not.toBe('');
      }
      expect(shown).toContain('Secrets are shown');
    }
  });
});

function print(value: unknown) {
  return printMessage(value, { showSecrets: false, answers: '', budget: 10_000, pointers: [] });
}

/** Where a page contains a text; empty where it does not. */
function around(page: string, text: string): string {
  const at = page.indexOf(text);
  return at < 0 ? '' : page.slice(Math.max(0, at - 200), at + 100);
}
