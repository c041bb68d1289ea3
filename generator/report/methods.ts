import { html } from '../page/index.js';
import type { Html } from '../page/index.js';
import { middleOf } from './latency.js';
import type { Latency } from './latency.js';
import type { MethodCounts, Recorder } from './recorder.js';
import { classOf, totalOf as allOf } from './severity.js';
import { bar, picture } from './svg.js';
import { sayDuration, sayNumber } from './words.js';

const WIDTH = 300;
const HEIGHT = 28;

/** The methods with their counts, and what their answers took. */
export function methodsSection({ methods, timed, early }: Recorder): Html {
  const rows = [...methods.values()].sort((a, b) => totalOf(b) - totalOf(a));
  const axis = axisOf(rows.map(({ latency }) => latency));
  return html`<section id="methods" aria-labelledby="methods-title">
    <h2 id="methods-title">Methods</h2>
    ${
      axis === undefined &&
      html`<p class="quiet">
        ${timed === 0 ? 'The recording has no times' : 'No request and its answer both have a time'},
        so how long an answer took is unknown.
      </p>`
    }
    ${
      early > 0 &&
      html`<p class="quiet">
        ${sayNumber(early)} answers have an earlier time than their request, and are not counted.
      </p>`
    }
    <div class="scroll" tabindex="0" role="region" aria-labelledby="methods-title">
      <table class="methods">
        <thead>
          <tr>
            <th scope="col">Method</th>
            <th scope="col" class="number">Requests</th>
            <th scope="col" class="number">Notifications</th>
            <th scope="col" class="number">Results</th>
            <th scope="col" class="number">Errors</th>
            <th scope="col" class="number">Findings</th>
            ${
              axis &&
              html`<th scope="col" class="number">Median</th>
                <th scope="col" class="number">95 %</th>
                <th scope="col" class="number">Longest</th>
                <th scope="col" class="wide">
                  Time to the answer
                  <p class="ticks" aria-hidden="true">
                    ${decades(axis).map((each) => html`<span>${sayDuration(10 ** each)}</span>`)}
                  </p>
                </th>`
            }
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => methodRow(row, axis))}
        </tbody>
      </table>
    </div>
  </section>`;
}

function methodRow(
  { method, kinds, findings, latency }: MethodCounts,
  axis: Axis | undefined,
): Html {
  const number = (value: number): Html =>
    html`<td class="number${value === 0 && ' zero'}">${sayNumber(value)}</td>`;
  const duration = (value: number): Html =>
    html`<td class="number">${latency.count > 0 ? sayDuration(value) : '–'}</td>`;
  const name =
    method === ''
      ? '(no request)'
      : html`<a href="#method=${encodeURIComponent(method)}"><code>${method}</code></a>`;
  return html`<tr>
    <th scope="row">${name}</th>
    ${[kinds.request, kinds.notification, kinds.response].map(number)}
    <td class="number${kinds.error > 0 ? ' alarm' : ' zero'}">${sayNumber(kinds.error)}</td>
    <td class="number ${classOf(findings)}">${sayNumber(allOf(findings))}</td>
    ${axis && [0.5, 0.95, 1].map((part) => duration(latency.quantile(part)))}
    ${axis && html`<td class="wide">${latency.count > 0 && plot(method, latency, axis)}</td>`}
  </tr>`;
}

function totalOf({ kinds }: MethodCounts): number {
  return Object.values(kinds).reduce((sum, count) => sum + count, 0);
}

/** Whole powers of ten, in milliseconds. */
interface Axis {
  readonly low: number;
  readonly high: number;
}

function axisOf(latencies: readonly Latency[]): Axis | undefined {
  const measured = latencies.filter(({ count }) => count > 0);
  if (measured.length === 0) return undefined;
  const low = Math.floor(
    Math.log10(Math.max(0.001, Math.min(...measured.map(({ least }) => least)))),
  );
  const high = Math.ceil(Math.log10(Math.max(0.001, ...measured.map(({ most }) => most))));
  return { low, high: Math.max(low + 1, high) };
}

function decades({ low, high }: Axis): number[] {
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
}

/** How the times are distributed on a logarithmic axis, with marks at the median and at 95 %. */
function plot(method: string, latency: Latency, axis: Axis): Html {
  const x = (ms: number): number => {
    const part = (Math.log10(Math.max(0.001, ms)) - axis.low) / (axis.high - axis.low);
    return Math.min(1, Math.max(0, part)) * WIDTH;
  };
  const most = Math.max(...latency.buckets);
  const width = WIDTH / (axis.high - axis.low) / 10;
  const bars = [...latency.buckets].flatMap((count, bucket) => {
    if (count === 0) return [];
    const height = Math.max(2, (count / most) * (HEIGHT - 2));
    const place = Math.min(WIDTH - width, Math.max(0, x(middleOf(bucket)) - width / 2));
    return bar(
      'bucket',
      [place + 0.5, HEIGHT - height, Math.max(1, width - 1), height],
      `${sayNumber(count)} around ${sayDuration(middleOf(bucket))}`,
    );
  });
  const lines = decades(axis)
    .slice(1, -1)
    .map((each) => bar('grid', [x(10 ** each), 0, 0.5, HEIGHT]));
  const [median, late] = [latency.quantile(0.5), latency.quantile(0.95)];
  const label = `${method}: median ${sayDuration(median)}, 95 % within ${sayDuration(late)}`;
  const marks = [bar('median', [x(median) - 1, 0, 2, HEIGHT], `median ${sayDuration(median)}`)];
  return picture('plot latency', WIDTH, HEIGHT, label, [lines, bars, marks]);
}
