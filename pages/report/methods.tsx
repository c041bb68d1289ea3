import { classOf, middleOf, totalOf } from '../findings/index.js';
import type { Latency, MethodCounts, Recorder } from '../findings/index.js';
import { sayDuration, sayNumber } from '../toolkit/index.js';
import { Bar, Picture } from './svg.js';

const WIDTH = 300;
const HEIGHT = 28;
const COUNTS = ['Requests', 'Notifications', 'Results', 'Errors', 'Findings'];
const DURATIONS = ['Median', '95 %', 'Longest'];

/** The methods with their counts, and what their answers took. */
export function Methods({ recorder }: { readonly recorder: Recorder }) {
  const { methods, timed, early } = recorder;
  const sum = ({ kinds }: MethodCounts): number =>
    Object.values(kinds).reduce((total, count) => total + count, 0);
  const rows = [...methods.values()].sort((a, b) => sum(b) - sum(a));
  const axis = axisOf(rows.map(({ latency }) => latency));
  const numbers = [...COUNTS, ...(axis ? DURATIONS : [])];
  return (
    <section id="methods" aria-labelledby="methods-title">
      <h2 id="methods-title">Methods</h2>
      {!axis && (
        <p class="quiet">
          {timed === 0
            ? 'The recording has no times'
            : 'No request and its answer both have a time'}
          , so how long an answer took is unknown.
        </p>
      )}
      {early > 0 && (
        <p class="quiet">
          {sayNumber(early)} answers have an earlier time than their request, and are not counted.
        </p>
      )}
      <div class="scroll" tabIndex={0} role="region" aria-labelledby="methods-title">
        <table class="methods">
          <thead>
            <tr>
              <th scope="col">Method</th>
              {numbers.map((name) => (
                <th scope="col" class="number">
                  {name}
                </th>
              ))}
              {axis && (
                <th scope="col" class="wide">
                  Time to the answer
                  <p class="ticks" aria-hidden="true">
                    {decades(axis).map((each) => (
                      <span>{sayDuration(10 ** each)}</span>
                    ))}
                  </p>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((counts) => (
              <MethodRow counts={counts} axis={axis} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface RowProps {
  readonly counts: MethodCounts;
  readonly axis: Axis | undefined;
}

function MethodRow({ counts: { method, kinds, findings, latency }, axis }: RowProps) {
  const isTimed = latency.count > 0;
  const number = (count: number, mark = '') => (
    <td class={`number ${count === 0 ? 'zero' : mark}`.trim()}>{sayNumber(count)}</td>
  );
  return (
    <tr>
      <th scope="row">
        {method === '' ? (
          '(no request)'
        ) : (
          <a href={`#method=${encodeURIComponent(method)}`}>
            <code>{method}</code>
          </a>
        )}
      </th>
      {[kinds.request, kinds.notification, kinds.response].map((count) => number(count))}
      {number(kinds.error, 'alarm')}
      {number(totalOf(findings), classOf(findings))}
      {axis &&
        [0.5, 0.95, 1].map((part) => (
          <td class="number">{isTimed ? sayDuration(latency.quantile(part)) : '–'}</td>
        ))}
      {axis && <td class="wide">{isTimed && <Plot {...{ method, latency, axis }} />}</td>}
    </tr>
  );
}

/** Whole powers of ten, in milliseconds. */
interface Axis {
  readonly low: number;
  readonly high: number;
}

/** The decade of a duration in milliseconds; the least is a microsecond. */
const decadeOf = (ms: number): number => Math.log10(Math.max(0.001, ms));

function axisOf(latencies: readonly Latency[]): Axis | undefined {
  const measured = latencies.filter(({ count }) => count > 0);
  if (measured.length === 0) return undefined;
  const low = Math.floor(decadeOf(Math.min(...measured.map(({ least }) => least))));
  const high = Math.ceil(decadeOf(Math.max(...measured.map(({ most }) => most))));
  return { low, high: Math.max(low + 1, high) };
}

function decades({ low, high }: Axis): number[] {
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
}

interface PlotProps {
  readonly method: string;
  readonly latency: Latency;
  readonly axis: Axis;
}

/** How the times are distributed on a logarithmic axis, with marks at the median and at 95 %. */
function Plot({ method, latency, axis }: PlotProps) {
  const decade = WIDTH / (axis.high - axis.low);
  const x = (ms: number): number =>
    Math.min(WIDTH, Math.max(0, (decadeOf(ms) - axis.low) * decade));
  const most = Math.max(...latency.buckets);
  const width = decade / 10;
  const [median, late] = [latency.quantile(0.5), latency.quantile(0.95)];
  const label = `${method}: median ${sayDuration(median)}, 95 % within ${sayDuration(late)}`;
  return (
    <Picture kind="plot latency" size={[WIDTH, HEIGHT]} label={label}>
      {decades(axis)
        .slice(1, -1)
        .map((each) => (
          <Bar kind="grid" at={[x(10 ** each), 0, 0.5, HEIGHT]} />
        ))}
      {[...latency.buckets].map((count, bucket) => {
        if (count === 0) return null;
        const ms = middleOf(bucket);
        const height = Math.max(2, (count / most) * (HEIGHT - 2));
        const left = Math.min(WIDTH - width, Math.max(0, x(ms) - width / 2));
        const title = `${sayNumber(count)} around ${sayDuration(ms)}`;
        const at = [left + 0.5, HEIGHT - height, Math.max(1, width - 1), height] as const;
        return <Bar kind="bucket" at={at} title={title} />;
      })}
      <Bar
        kind="median"
        at={[x(median) - 1, 0, 2, HEIGHT]}
        title={`median ${sayDuration(median)}`}
      />
    </Picture>
  );
}
