/* global document */
const texts = (name) => [...document.querySelectorAll(`script.${name}`)];

/** The rows in columns, as `generator/report/data.ts` writes them. */
export const data = JSON.parse(texts('rows')[0].textContent);
export const columns = data.columns;
export const count = columns.number.length;

const chunks = texts('bodies');
const parsed = [];

/** The pretty-printed message of a row. */
export const bodyOf = (row) => {
  const chunk = Math.floor(row / data.chunk);
  parsed[chunk] ??= JSON.parse(chunks[chunk].textContent);
  return parsed[chunk][row % data.chunk];
};

const NONE = [];
const found = new Map();
for (const [row, severity, code, text, pointer, expected, received, first, last] of data.findings) {
  if (!found.has(row)) found.set(row, []);
  found.get(row).push({ severity, code, text, pointer, expected, received, first, last });
}
export const findingsOf = (row) => found.get(row) ?? NONE;

const rowOf = new Map(columns.number.map((number, row) => [number, row]));
const answered = new Map();
columns.answers.forEach((number, row) => {
  if (number !== 0 && !answered.has(number)) answered.set(number, row);
});

/** The row of a message's number, if the report has it. */
export const rowOfNumber = (number) => rowOf.get(number);

/** The row of a request's answer, or of an answer's request. */
export const mateOf = (row) =>
  columns.answers[row] === 0 ? answered.get(columns.number[row]) : rowOf.get(columns.answers[row]);

const KINDS = { q: 'request', n: 'notification', r: 'result', e: 'error', x: 'not a message' };
const SIDES = { c: 'client', s: 'server' };
export const kindOf = (row) => KINDS[columns.kind[row]];
export const senderOf = (row) => SIDES[columns.from[row]];
export const methodOf = (row) => data.methods[columns.method[row]];
export const statusOf = (row) => data.statuses[columns.status[row]];

const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'];
/** The name of a status in the style. */
export const classOf = (status) => `status-${STATUSES.includes(status) ? status : 'unknown'}`;

const WORST = ['error', 'unclear', 'warning'];
export const worstOf = (row) =>
  WORST.find((severity) => findingsOf(row).some((each) => each.severity === severity));
