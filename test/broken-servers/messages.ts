import { brokenTexts, malformedAnswers } from '../support/malformed-answers.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { instead, LATE, type Way } from './way.js';

/** Answers that are no messages, or those of another request. */

const INVALID = 'invalid|malformed|unrecognized|not valid|must be|must not|expected|parse';

const resultOf = ({ result }: JsonObject): JsonObject => result as JsonObject;
const idOf = ({ id }: JsonObject): number => id as number;

const MALFORMED: readonly Way[] = malformedAnswers(0, {}).map(({ name, place }, at) => ({
  id: `answers a ${name}`,
  wrong: instead((answer) => malformedAnswers(idOf(answer), resultOf(answer))[at]?.message),
  says: new RegExp(`${place.slice(place.lastIndexOf('/') + 1)}|${INVALID}`, 'i'),
}));

const BROKEN: readonly Way[] = brokenTexts(0, {}).map((text, at) => ({
  id: `answers ${text.replaceAll(/\s+/g, ' ')}`,
  wrong: instead((answer) => brokenTexts(idOf(answer), resultOf(answer))[at]),
  says: new RegExp(`json|${INVALID}`, 'i'),
}));

const json = (answer: JsonObject): string => JSON.stringify(answer);

/** Texts that no request has asked for. */
const TEXTS: readonly (readonly [string, (answer: JsonObject) => unknown])[] = [
  ['nothing', () => ''],
  ['blanks', () => '   '],
  ['null', () => 'null'],
  ['a number', () => '1'],
  ['a text', () => '"text"'],
  ['an empty list', () => '[]'],
  ['an empty object', () => '{}'],
  ['a list of the answer', (answer) => [answer]],
  ['a page', () => '<html><body>Welcome</body></html>'],
  [
    'bytes that are not UTF-8',
    (answer) => Buffer.from(json(answer).replace('"result"', '"re\xffsult"'), 'latin1'),
  ],
  ['UTF-16', (answer) => Buffer.from(json(answer), 'utf16le')],
  ['single quotes', (answer) => json(answer).replaceAll('"', "'")],
  ['a comment in it', (answer) => json(answer).replace('{', '{ /* answer */ ')],
  ['an id that no request has', (answer) => ({ ...answer, id: 999 })],
  ['a text for its id', (answer) => ({ ...answer, id: String(answer['id']) })],
  ['no id', ({ id: _, ...answer }) => answer],
  ['an id that is null', (answer) => ({ ...answer, id: null })],
  ['an id that is an object', (answer) => ({ ...answer, id: { id: answer['id'] } })],
  ['its request', (answer) => ({ jsonrpc: '2.0', id: answer['id'], method: 'tools/call' })],
];

/** Earlier revisions have lists of messages, and a text of digits can be read as the number that was sent. */
const MAY_BE_TAKEN: ReadonlySet<string> = new Set(['a list of the answer', 'a text for its id']);

/** Over a pipe and on streams, what is no answer may be a log, or nothing at all. */
const MAY_BE_NOTHING: ReadonlySet<string> = new Set(['nothing', 'blanks']);

const OTHERS: readonly Way[] = TEXTS.map(([name, change]) => ({
  id: `answers with ${name}`,
  wrong: instead(change),
  says: new RegExp(
    `json|\\bid\\b|no answer|without an answer|${INVALID}|content type|no message|was refused|${MAY_BE_NOTHING.has(name) ? LATE.source : 'no message'}`,
    'i',
  ),
  orTakes: MAY_BE_TAKEN.has(name),
}));

export const MESSAGES: readonly Way[] = [...MALFORMED, ...BROKEN, ...OTHERS];
