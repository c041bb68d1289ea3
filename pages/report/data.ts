import type { Recorder, Row } from '../findings/index.js';
import { dataElement } from '../toolkit/index.js';
import { pack } from './packed.js';

/** Bodies in one element, so that a page reads only those that it shows. */
const CHUNK = 500;

/** A row without what is elsewhere. */
export type PageRow = Omit<Row, 'body'>;

/** What the script reads, from JSON. */
export type Data = ReturnType<typeof dataOf>;

/** The rows as elements that the browser does not run. `browser/data.ts` reads them. */
export function dataElements(recorder: Recorder): string {
  const { rows } = recorder.sample;
  const bodies = Array.from({ length: Math.ceil(rows.length / CHUNK) }, (_, index) =>
    rows.slice(index * CHUNK, (index + 1) * CHUNK).map(({ body }) => body),
  );
  return [
    dataElement('class', 'rows', dataOf(recorder)),
    ...bodies.map((chunk) => dataElement('class', 'bodies', chunk)),
  ].join('');
}

function dataOf({ inputs, tasks, sessions, options, shower, start, sample }: Recorder) {
  const isTimed = Number.isFinite(start);
  const rows = sample.rows.map(({ body: _, ms, progress, ...row }) => ({
    ...row,
    ms: ms === undefined ? undefined : rounded(ms - start),
    progress: progress === undefined ? undefined : rounded(progress),
  }));
  return {
    clock: isTimed ? inputs.find(({ clock }) => clock)?.clock : undefined,
    start: isTimed ? start : 0,
    chunk: CHUNK,
    isSample: sample.stride > 1,
    files: inputs.map(({ name }) => name),
    parties: inputs.map(({ parties }) => parties),
    sessions: sessions.map((session, index) =>
      options.showSecrets ? shower.name(session) : String(index + 1),
    ),
    tasks: tasks.list.map(({ taskId }) => shower.name(taskId)),
    rows: pack(rows),
  };
}

const rounded = (number: number): number => Math.round(number * 1000) / 1000;
