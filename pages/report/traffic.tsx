import { classOf, countFindings, noFindings, totalOf } from '../findings/index.js';
import type { Recorder } from '../findings/index.js';
import { many, sayDuration, sayNumber } from '../toolkit/index.js';
import { Bar, Picture } from './svg.js';

const BUCKETS = 120;
const HALF = 50;
const TICKS = 5;

/** Messages over the recording: the client's above the line, the server's below, findings as marks. */
export function Traffic({ recorder }: { readonly recorder: Recorder }) {
  const { start, end, timed, sample } = recorder;
  const isTimed = timed > 0 && end > start;
  const span = isTimed ? end - start : Math.max(1, sample.rows.length);
  const buckets = bucketsOf(recorder, isTimed, span);
  const most = Math.max(1, ...buckets.flatMap(({ client, server }) => [client, server]));
  const name = isTimed ? 'Messages over time' : 'Messages in the order of the recording';
  const ticks = Array.from({ length: TICKS }, (_, index) => {
    const part = (span * index) / (TICKS - 1);
    if (!isTimed) return sayNumber(Math.max(1, Math.round(part)));
    return index === 0 ? '0' : `+${sayDuration(part)}`;
  });
  return (
    <figure class="traffic">
      <figcaption>
        {name}: <span class="key client">client</span> above, <span class="key server">server</span>{' '}
        below, <span class="key alarm">errors</span> and{' '}
        <span class="key caution">other findings</span> at the top
      </figcaption>
      <Picture
        kind="plot"
        size={[BUCKETS * 8, 2 * HALF]}
        label={`${name}, at most ${sayNumber(most)} in one bar`}
      >
        {buckets.map((bucket, index) => (
          <Bars x={index * 8 + 1} bucket={bucket} most={most} />
        ))}
      </Picture>
      <p class="ticks" aria-hidden="true">
        {ticks.map((tick) => (
          <span>{tick}</span>
        ))}
      </p>
    </figure>
  );
}

type Bucket = ReturnType<typeof bucketsOf>[number];

function bucketsOf({ start, sample }: Recorder, isTimed: boolean, span: number) {
  const buckets = Array.from({ length: BUCKETS }, () => ({
    client: 0,
    server: 0,
    findings: noFindings(),
  }));
  sample.rows.forEach((row, index) => {
    const place = isTimed ? (row.ms ?? Number.NaN) - start : index;
    const bucket = buckets[Math.min(BUCKETS - 1, Math.floor((place / span) * BUCKETS))];
    if (!bucket) return;
    if (row.from) bucket[row.from] += 1;
    countFindings(bucket.findings, row.findings);
  });
  return buckets;
}

interface BarsProps {
  readonly x: number;
  readonly bucket: Bucket;
  readonly most: number;
}

function Bars({ x, bucket: { client, server, findings }, most }: BarsProps) {
  const heightOf = (count: number): number => (count / most) * (HALF - 4);
  const title = `${sayNumber(client)} from the client, ${sayNumber(server)} from the server`;
  const [up, down] = [heightOf(client), heightOf(server)];
  const found = totalOf(findings);
  return (
    <>
      {client > 0 && <Bar kind="client" at={[x, HALF - 1 - up, 6, up]} title={title} />}
      {server > 0 && <Bar kind="server" at={[x, HALF + 1, 6, down]} title={title} />}
      {found > 0 && (
        <Bar kind={classOf(findings)} at={[x, 0, 6, 3]} title={many(found, 'finding')} />
      )}
    </>
  );
}
