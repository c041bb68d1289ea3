/** Ways to hide a message in bytes from the one that judges it. `EVIL` is where it takes effect. */

export const EVIL = 'EVIL';

export type Direction = 'server' | 'client';

/** An invalid message of each side, and a valid one with the same id. */
const MESSAGES: Readonly<Record<Direction, { readonly evil: object; readonly good: object }>> = {
  server: {
    evil: { jsonrpc: '2.0', id: 2, result: { content: [], structuredContent: { sum: EVIL } } },
    good: { jsonrpc: '2.0', id: 2, result: { content: [], structuredContent: { sum: 3 } } },
  },
  client: {
    evil: {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'add', arguments: { a: EVIL, b: 1 } },
    },
    good: {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'add', arguments: { a: 1, b: 1 } },
    },
  },
};

/** Whether a message has an effect that its guard had to refuse. */
export function isEvil(message: unknown): boolean {
  if (Array.isArray(message)) return message.some(isEvil);
  const at = (...path: readonly string[]): unknown =>
    path.reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | null | undefined)?.[key],
      message,
    );
  return (
    at('result', 'structuredContent', 'sum') === EVIL || at('params', 'arguments', 'a') === EVIL
  );
}

type Hiding = (evil: string, good: string) => string | Uint8Array;

const BODY = /"(?:result|params)":.*(?=\}$)/;
const INNER = /"(?:structuredContent|arguments)":\{[^}]*\}/;

/** The good message with another member in its envelope, first or last. */
const beside = (good: string, member: string, isFirst: boolean): string =>
  isFirst ? good.replace('{', `{${member},`) : good.replace(/\}$/, `,${member}}`);

const bodyOf = (json: string): string => BODY.exec(json)?.[0] ?? '';
const innerOf = (json: string): string => INNER.exec(json)?.[0] ?? '';

/** In white space of the good message, where some programs end a line. */
const asLine =
  (end: string): Hiding =>
  (evil, good) =>
    beside(good, `"_meta":{"x":[1,${end}${evil}${end}]}`, false);

export const HIDINGS: Readonly<Record<string, Hiding>> = {
  'as it is': (evil) => evil,
  'behind blanks': (evil) => ` \t ${evil} `,
  'behind a byte order mark': (evil) => `\uFEFF${evil}`,
  'behind two byte order marks': (evil) => `\uFEFF\uFEFF${evil}`,
  'behind a zero byte': (evil) => `\0${evil}`,
  'behind a record separator': (evil) => `\u001E${evil}`,
  'with garbage behind it': (evil) => `${evil} x`,
  'behind a good one': (evil, good) => `${good}${evil}`,
  'behind a good one and a comma': (evil, good) => `${good},${evil}`,
  'before a good one': (evil, good) => `${evil} ${good}`,
  'between carriage returns': asLine('\r'),
  'between CR and LF': asLine('\r\n'),
  'between line separators': asLine('\u2028'),
  'between next lines': asLine('\u0085'),
  'with a line separator in a text': (evil, good) =>
    good.replace('2.0"', `2.0","x":"\u2028${evil.replaceAll('"', '\\"')}\u0085"`),
  'in a batch': (evil) => `[${evil}]`,
  'in a batch with a good one': (evil, good) => `[${good},${evil}]`,
  'in a batch in a batch': (evil) => `[[${evil}]]`,
  'with its body twice, the good one first': (evil, good) => beside(evil, bodyOf(good), true),
  'with its body twice, the good one last': (evil, good) => beside(evil, bodyOf(good), false),
  'with a value twice, the good one first': (evil, good) =>
    evil.replace(INNER, (inner) => `${innerOf(good)},${inner}`),
  'with a value twice, the good one last': (evil, good) =>
    evil.replace(INNER, (inner) => `${inner},${innerOf(good)}`),
  'with an escaped name': (evil, good) =>
    beside(
      evil,
      bodyOf(good).replace(
        /"(\w)(\w+)"/,
        (_, first: string, rest: string) => `"\\u00${first.charCodeAt(0).toString(16)}${rest}"`,
      ),
      true,
    ),
  'with a name in another case': (evil, good) =>
    beside(
      good,
      bodyOf(evil).replace(/"(\w)/, (_, first: string) => `"${first.toUpperCase()}`),
      false,
    ),
  'with a value in another case': (evil, good) =>
    good.replace(
      INNER,
      (inner) =>
        `${inner},${innerOf(evil).replace(/"(\w)/, (_, first: string) => `"${first.toUpperCase()}`)}`,
    ),
  'with the id as a text': (evil) => evil.replace('"id":2', '"id":"2"'),
  'with the id as a decimal': (evil) => evil.replace('"id":2', '"id":2.0'),
  'with another id': (evil) => evil.replace('"id":2', '"id":7'),
  'without an id': (evil) => evil.replace('"id":2,', ''),
  'with the id null': (evil) => evil.replace('"id":2', '"id":null'),
  'with a result and an error': (evil) => beside(evil, '"error":{"code":1,"message":"x"}', false),
  'without a version': (evil) => evil.replace('"jsonrpc":"2.0",', ''),
  'with a wrong escape': (evil) => beside(evil, '"x":"\\x41"', false),
  'with a number beyond a double': (evil) => beside(evil, '"x":1e400', false),
  'with a comment': (evil) => evil.replace('{', '{/* x */'),
  'nested too deeply': (evil) => beside(evil, `"x":${'['.repeat(600)}${']'.repeat(600)}`, false),
  'with bytes that are not UTF-8': (evil) =>
    Buffer.concat([
      Buffer.from(`${evil.slice(0, -1)},"x":"`),
      Uint8Array.of(0xff, 0xc0),
      Buffer.from('"}'),
    ]),
  'in UTF-16': (evil) => Buffer.from(evil, 'utf16le'),
  'in UTF-7': (evil) => evil.replaceAll('{', '+AHs-'),
};

/** The bytes of an invalid message, hidden. */
export function hidden(direction: Direction, way: string): Buffer {
  const { evil, good } = MESSAGES[direction];
  const bytes = HIDINGS[way]?.(JSON.stringify(evil), JSON.stringify(good)) ?? '';
  return Buffer.from(bytes as string);
}

export function goodOf(direction: Direction): object {
  return MESSAGES[direction].good;
}
