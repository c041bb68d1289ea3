import { html } from '../page/index.js';
import type { Html } from '../page/index.js';
import { many } from './label.js';
import type { Recorder } from './recorder.js';
import type { Row } from './row.js';
import { classOf, countFindings, noFindings, totalOf } from './severity.js';
import { bar, picture } from './svg.js';
import { sayDuration, sayNumber } from './words.js';

const BUCKETS = 120;
const HALF = 50;
const TICKS = 5;

/** Messages over the recording: the client's above the line, the server's below, findings as marks. */
export function trafficFigure({ start, end, timed }: Recorder, rows: readonly Row[]): Html {
  const isTimed = timed > 0 && end > start;
  const span = isTimed ? end - start : Math.max(1, rows.length);
  const buckets = Array.from({ length: BUCKETS }, () => ({
    client: 0,
    server: 0,
    findings: noFindings(),
  }));
  rows.forEach((row, index) => {
    const place = isTimed ? (row.ms ?? Number.NaN) - start : index;
    const bucket = buckets[Math.min(BUCKETS - 1, Math.floor((place / span) * BUCKETS))];
    if (!bucket) return;
    if (row.from) bucket[row.from] += 1;
    countFindings(bucket.findings, row.findings);
  });
  const most = Math.max(1, ...buckets.flatMap(({ client, server }) => [client, server]));
  const parts = buckets.map(({ client, server, findings }, index) => {
    const [up, down] = [client, server].map((each) => (each / most) * (HALF - 4)) as [
      number,
      number,
    ];
    const title = `${sayNumber(client)} from the client, ${sayNumber(server)} from the server`;
    const x = index * 8;
    const found = totalOf(findings);
    return [
      client > 0 && bar('client', [x + 1, HALF - 1 - up, 6, up], title),
      server > 0 && bar('server', [x + 1, HALF + 1, 6, down], title),
      found > 0 && bar(classOf(findings), [x + 1, 0, 6, 3], many(found, 'finding')),
    ];
  });
  const name = isTimed ? 'Messages over time' : 'Messages in the order of the recording';
  const ticks = Array.from({ length: TICKS }, (_, index) => {
    const part = (span * index) / (TICKS - 1);
    if (!isTimed) return sayNumber(Math.max(1, Math.round(part)));
    return index === 0 ? '0' : `+${sayDuration(part)}`;
  });
  return html`<figure class="traffic">
    <figcaption>
      ${name}: <span class="key client">client</span> above,
      <span class="key server">server</span> below, <span class="key alarm">errors</span> and
      <span class="key caution">other findings</span> at the top
    </figcaption>
    ${picture('plot', BUCKETS * 8, 2 * HALF, `${name}, at most ${sayNumber(most)} in one bar`, parts)}
    <p class="ticks" aria-hidden="true">${ticks.map((tick) => html`<span>${tick}</span>`)}</p>
  </figure>`;
}
