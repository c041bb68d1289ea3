import { SEVERITIES } from '../../findings/severity.js';
import type { Data, PageRow } from '../data.js';
import { unpack } from '../packed.js';

const texts = (name: string): string[] =>
  [...document.querySelectorAll(`script.${name}`)].map(({ textContent }) => textContent);

export const data = JSON.parse(texts('rows')[0] ?? '{}') as Data;

/** A message as the page shows it. */
export interface Message extends PageRow {
  /** Its place among all of the report. */
  readonly index: number;
}

export const messages: readonly Message[] = unpack<PageRow>(data.rows).map((row, index) => ({
  ...row,
  index,
}));

const bodies = texts('bodies');
const read: (readonly string[])[] = [];

/** The pretty-printed JSON of a message. */
export function bodyOf({ index }: Message): string {
  const chunk = Math.floor(index / data.chunk);
  read[chunk] ??= JSON.parse(bodies[chunk] ?? '[]') as readonly string[];
  return read[chunk]?.[index % data.chunk] ?? '';
}

/** The messages of the report by their numbers. */
export const byNumber = new Map(messages.map((message) => [message.number, message]));
const answers = new Map(messages.toReversed().map((message) => [message.answers, message]));

/** A request's answer, or an answer's request. */
export function mateOf({ number, answers: asked }: Message): Message | undefined {
  return asked === undefined ? answers.get(number) : byNumber.get(asked);
}

export const worstOf = ({ findings }: Message) =>
  SEVERITIES.find((severity) => findings.some((each) => each.severity === severity));
