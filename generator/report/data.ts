import { html, raw } from '../page/index.js';
import type { Html } from '../page/index.js';
import type { Recorder } from './recorder.js';
import type { Row } from './row.js';

/** Bodies in one element, so that a page reads only those that it shows. */
const CHUNK = 500;

const SIDES = { client: 'c', server: 's' } as const;
const KINDS = { request: 'q', notification: 'n', response: 'r', error: 'e', note: 'x' } as const;

/** The rows in columns, as elements that the browser does not run. `page/data.js` reads them. */
export function dataElements(recorder: Recorder, rows: readonly Row[]): Html {
  const bodies = Array.from({ length: Math.ceil(rows.length / CHUNK) }, (_, index) =>
    rows.slice(index * CHUNK, (index + 1) * CHUNK).map(({ body }) => body),
  );
  return html`${element('rows', dataOf(recorder, rows))}${bodies.map((chunk) =>
    element('bodies', chunk),
  )}`;
}

function dataOf(recorder: Recorder, rows: readonly Row[]): object {
  const { inputs, tasks, sessions, options, shower, start } = recorder;
  const methods = new Index();
  const statuses = new Index();
  const column = <T>(of: (row: Row) => T): T[] => rows.map(of);
  const columns = {
    number: column(({ number }) => number),
    file: column(({ file }) => file),
    line: column(({ line }) => line),
    from: column(({ from }) => (from ? SIDES[from] : '?')).join(''),
    kind: column(({ kind }) => KINDS[kind]).join(''),
    method: column(({ method }) => methods.of(method)),
    id: column(({ id }) => id),
    answers: column(({ answers }) => answers ?? 0),
    ms: column(({ ms }) => (ms === undefined ? null : Math.round((ms - start) * 1000) / 1000)),
    session: column(({ session = -1 }) => session),
    task: column(({ task = -1 }) => task),
    status: column(({ status = '' }) => statuses.of(shower.name(status))),
    change: column(({ isChange }) => (isChange ? '1' : '0')).join(''),
    progress: column(({ progress = -1 }) => Math.round(progress * 1000) / 1000),
    question: column(({ isQuestion }) => (isQuestion ? '1' : '0')).join(''),
    cut: column(({ isCut }) => (isCut ? '1' : '0')).join(''),
    label: column(({ label }) => label),
  };
  const findings = rows.flatMap((row, index) =>
    row.findings.map(({ severity, code, text, pointer, expected = '', received = '', lines }) => [
      index,
      severity,
      code,
      text,
      pointer,
      expected,
      received,
      ...(lines ?? [-1, -1]),
    ]),
  );
  return {
    clock: Number.isFinite(start) ? (inputs.find(({ clock }) => clock)?.clock ?? null) : null,
    start: Number.isFinite(start) ? start : 0,
    chunk: CHUNK,
    sampled: recorder.sample.stride > 1,
    files: inputs.map(({ name }) => name),
    parties: inputs.map(({ parties }) => parties),
    methods: methods.names,
    statuses: statuses.names,
    sessions: sessions.map((session, index) =>
      options.showSecrets ? shower.name(session) : String(index + 1),
    ),
    tasks: tasks.list.map(({ taskId }) => shower.name(taskId)),
    columns,
    findings,
  };
}

/** Texts that repeat, by their number. */
class Index {
  readonly names: string[] = [];
  #numbers = new Map<string, number>();

  of(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.names.push(name) - 1;
      this.#numbers.set(name, number);
    }
    return number;
  }
}

/** An element of data. Without `<`, no text can end it. */
function element(name: string, value: unknown): Html {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c');
  return raw(`<script type="application/json" class="${name}">${json}</script>\n`);
}
