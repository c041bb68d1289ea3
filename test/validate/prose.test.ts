import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskString, messageMasker } from '../../contracts/validate/secrets/index.js';
import { sized } from '../support/size.js';

const NAMES = [
  ...['token', 'Token', 'api_key', 'API key', 'password', 'Authorization', 'Credentials', 'secret'],
  ...['access_token', 'The session', 'X-Api-Key', 'Set-Cookie', 'pin', '**Authentication**'],
];
/** What descriptions say of a secret. */
const SAYINGS = [
  ...['the token of the user.', 'GitHub personal access token', 'Your OpenAI API key', 'string'],
  ...['It comes from the settings of the account (see list_tools).', 'required', 'optional.', '…'],
  ...['see OAuth 2.1, and send `Authorization: Bearer <token>`.', 'None', '{token}', '<password>'],
  ...['at least 8 characters, with a 2-digit number', 'use a bearer token or Basic authentication'],
  ...['The bearer token that each request must have. Default: none', 'das Token des Benutzers'],
  ...["the user's password, which is not stored", 'le jeton de l’utilisateur', 'Bearer {token}'],
];
const WHOLE = [
  'Uses npm_install_package and hf_transfer_something.',
  'Supports Bearer Token, Basic Authentication, Digest Authentication and Token Authorization.',
  'They negotiate 3 versions. The options --token VALUE and --password "VALUE" are required.',
  'Total tokens: 1234',
  'Max tokens: 4,096',
];
const AROUND: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `Logs in.\n\nArgs:\n    ${text}\n    limit: how many\n`,
  (text) => `- ${text}\n- others`,
  (text) => `Note. ${text}`,
];

const saying = fc
  .tuple(
    fc.constantFrom(...NAMES),
    fc.constantFrom(...SAYINGS),
    fc.constantFrom(...AROUND),
    fc.constantFrom(': ', ':\n  ', ' : '),
  )
  .map(([name, text, around, separator]) => around(`${name}${separator}${text}`));

const part = fc.constantFrom(...'abcdefghkmnpqrstuvwxyzABCDEFGHKMNPQRSTUVWXYZ').map(String);
/** As programs make them, and people: with a digit of many or with signs, or words that make no sentence. */
const secret = fc.oneof(
  fc
    .tuple(fc.array(part, { minLength: 6, maxLength: 30 }), fc.nat({ max: 999_999 }))
    .map(([letters, number]) => `${letters.join('')}${String(number)}`),
  fc.stringMatching(/^gh[ps]_[A-Za-z0-9]{20}[0-9]$/),
  fc.uuid(),
  fc.constantFrom('hunter2', 'swordfish', 'p@ssword!', 'open+sesame', 'a1.b2.c3', '483921'),
);
const FORMS: readonly ((secret: string) => string)[] = [
  (each) => `token: ${each}`,
  (each) => `Authorization: Bearer ${each}`,
  (each) => `password=${each}`,
  (each) => `Your API key: ${each}`,
  (each) => `X-Api-Key: ${each}\nAccept: text/plain`,
  (each) => `The password: it is ${each} for the user`.replace('swordfish', 'hunter2'),
  (each) => `{"token": "${each}"}, and the rest`,
  (each) => `token = "the ${each}"`,
];

describe('a text with the name of a secret', () => {
  it('stays as it is where a sentence follows', () => {
    fc.assert(
      fc.property(saying, (text) => {
        expect(maskString(text)).toBe(text);
        const tool = { name: 'log_in', title: text, description: text };
        const message = { id: 1, result: { tools: [tool], content: [{ type: 'text', text }] } };
        expect(messageMasker().message(message)).toBe(message);
      }),
      { numRuns: sized(1_000) },
    );
  });

  it.each(WHOLE)('stays as it is: %s', (text) => {
    expect(maskString(text)).toBe(text);
  });

  it('loses the secret that follows', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FORMS),
        secret,
        fc.constantFrom(...AROUND),
        (form, each, around) => {
          expect(maskString(around(form(each)))).not.toContain(each);
        },
      ),
      { numRuns: sized(1_000) },
    );
  });

  it.each([
    'password: correct horse battery staple',
    'passphrase: abcd efgh ijkl mnop',
    'The password: swordfish',
    'Authorization: Bearer hunter',
    'Cookie: theme=dark; id=the-one',
    'password: "the one of the house"',
    'PIN: it is 1234',
  ])('loses words that make no sentence, or are quoted: %s', (text) => {
    const value = text.slice(text.indexOf(': ') + 2).replaceAll('"', '');
    expect(maskString(text)).not.toContain(value);
  });

  it('is masked in time linear in its length', () => {
    for (const unit of [
      'token: the ',
      'token: the a\n',
      'token: …',
      'a.',
      '…',
      'token: {a} ',
      "token: ''",
    ])
      expect(
        maskString(unit.repeat(100_000), {
          hide: () => '',
          text: { mark: () => '', longest: Infinity },
        }).length,
      ).toBeLessThan(2_000_000);
  });
});
