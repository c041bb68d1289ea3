import {
  expiresAt,
  type HistoryEntry,
  isTerminal,
  type TaskRecord,
  type TaskSummary,
  workStatus,
} from '../tasks/index.js';

/** A task as the JSON documents have it. Times are RFC 3339. */
export function summaryIn(task: TaskSummary) {
  const { id, owner, dialect, method, tool, statusMessage, attempt, queued, queuedUntil } = task;
  const status = workStatus(task);
  return {
    ...{ id, status },
    // What its client sees, where that differs: a tool's error completes a task of the extension.
    protocolStatus: status === task.status ? undefined : task.status,
    ...{ tool, owner, dialect, method, statusMessage, attempt },
    worker: task.worker === '' ? undefined : task.worker,
    createdAt: time(task.createdAt),
    queued,
    queuedUntil: queuedUntil === undefined ? undefined : time(queuedUntil),
    updatedAt: time(task.updatedAt),
    expiresAt: time(expiresAt(task)),
    retryOf: task.retryOf,
    retriedAs: task.retriedAs,
  };
}

/** What is shown of a payload, which a client, a user or a handler has sent. */
export type PayloadView<Shown extends object> = (text: string) => Shown;

export const size = (text: string) => ({ bytes: Buffer.byteLength(text) });
export const sizeAndValue = (text: string) => ({ ...size(text), value: valueOf(text) });

/** A whole task. */
export function recordIn<Shown extends object>(task: TaskRecord, view: PayloadView<Shown>) {
  const shown = (text: string | undefined): Partial<Shown> =>
    text === undefined ? {} : view(text);
  return {
    ...summaryIn(task),
    caller: task.caller,
    version: task.version,
    fence: task.fence,
    traceparent: task.trace?.['traceparent'],
    history: historyOf(task).map(({ at, ...rest }) => ({ ...rest, at: time(at) })),
    // The arguments, and what the client declared.
    request: shown(task.args),
    steps: task.steps.map(({ name, attempt, result, until, at }) => ({
      name,
      attempt,
      finished: result !== undefined || undefined,
      until: until === undefined ? undefined : time(until),
      at: at === undefined ? undefined : time(at),
      ...shown(result),
    })),
    input: task.input.map(({ key, method, params, answer, withdrawn, completed }) => ({
      key,
      method,
      answered: answer !== undefined,
      withdrawn,
      completed,
      params: shown(params),
      answer: answer === undefined ? undefined : shown(answer),
    })),
    outcome: task.outcome === undefined ? undefined : shown(task.outcome),
  };
}

/** From the creation to the end, or until now. */
function historyOf(task: TaskRecord): readonly HistoryEntry[] {
  const { createdAt, updatedAt, attempt, history = [] } = task;
  const status = workStatus(task);
  return [
    { status: 'working', attempt: 1, at: createdAt },
    ...history,
    ...(isTerminal(status) ? [{ status, attempt, at: updatedAt }] : []),
  ];
}

const COLUMNS = ['ID', 'STATUS', 'TOOL', 'CREATED', 'UPDATED', 'OWNER'] as const;

export function tableOf(tasks: readonly TaskSummary[]): string {
  if (tasks.length === 0) return 'No tasks';
  const rows = tasks.map((task) => {
    const { id, tool, method, createdAt, updatedAt, owner } = task;
    const times = [time(createdAt), time(updatedAt)];
    return [id, workStatus(task), tool ?? method, ...times, owner].map(oneLine);
  });
  const widths = COLUMNS.map((name, index) =>
    Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  return [[...COLUMNS], ...rows]
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Characters of a document that is printed in lines; a longer one is one line. */
const LONGEST_DOCUMENT = 50_000_000;

/** An object as indented lines: names, then values. */
export function linesOf(value: unknown): string {
  const compact = JSON.stringify(value);
  const { text, isCut } = indented(compact, LONGEST_DOCUMENT);
  return (isCut ? compact : text).replace(/[\u007f-\u009f]|\p{Cf}|\p{Zl}|\p{Zp}/gu, escaped);
}

/** Control and formatting characters could move a terminal's cursor, or reverse its text. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, escaped);
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16).padStart(4, '0');
    return `\\u${unit}`;
  }).join('');
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** A step that returned nothing has an empty text. */
function valueOf(text: string): unknown {
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

/**
 * The beginning of a text that `JSON.stringify` wrote, in lines with two spaces for each level. It makes no more than it
 * returns: the lines of 500 KB that are nested deeply take gigabytes.
 */
export function indented(
  json: string,
  longest: number,
): { readonly text: string; readonly isCut: boolean } {
  let [text, depth] = ['', 0];
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (let at = 0; at < json.length;) {
    const part = json.slice(at, endOfToken(json, at));
    at += part.length;
    if (part === '{' || part === '[') {
      depth += 1;
      text += part + line();
    } else if (part === '}' || part === ']') {
      depth -= 1;
      text += line() + part;
    } else if (part === ',') text += part + line();
    else text += part === ':' ? ': ' : part;
    if (text.length > longest) return { text: text.slice(0, longest), isCut: true };
  }
  return { text, isCut: false };
}

/** Where the token ends that begins here. An empty object or array is one token. */
function endOfToken(json: string, start: number): number {
  const first = json[start];
  if (first === '"') return endOfString(json, start);
  if (['{}', '[]'].includes(json.slice(start, start + 2))) return start + 2;
  let end = start + 1;
  if ('{}[],:'.includes(first ?? '')) return end;
  while (end < json.length && !',]}'.includes(json[end] ?? '')) end += 1;
  return end;
}

function endOfString(json: string, start: number): number {
  let end = start + 1;
  while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end + 1;
}
