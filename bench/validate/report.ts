import type { Bench, Row } from '../bench.js';
import { each, interleaved, median, ratios } from './measure.js';
import { measured, OURS } from '../measured.js';
import { CONTENDERS, NAMES, prepared } from './prepare.js';
import type { ContenderName, Prepared } from './prepare.js';
import { limited, PARSES } from './rows.js';
import { parsed, TRAFFIC } from './traffic.js';
import type { Sample, TrafficRevision } from './traffic.js';

const EFFORT = { rounds: 7, warmUp: 150_000 };
const LARGE = 5000;
/** The number of broken variants of each message. */
const BREAKAGES = 4;

/** The cost of reporting the errors of a message, relative to parsing it. */
export function report(revision: TrafficRevision): Bench {
  return {
    name: `validate/errors ${revision}`,
    run: () => prepared(revision, (all) => Promise.resolve(rows(revision, all))),
  };
}

function rows(revision: TrafficRevision, all: Prepared): Row[] {
  const kinds = TRAFFIC[revision].map((sample) => ({
    kind: sample.kind,
    large: JSON.stringify(sample.message).length >= LARGE,
    costs: costs(all, sample),
  }));
  const bySize = [true, false].flatMap((large) => {
    const some = kinds.filter((each) => each.large === large);
    const slowest = new Map(
      NAMES.flatMap((name) => {
        const found = some.flatMap(({ costs }) => [costs.get(name) ?? []]);
        const [most] = found.sort((a, b) => median(b) - median(a));
        return most !== undefined && found.every(({ length }) => length > 0)
          ? [[name, most] as const]
          : [];
      }),
    );
    const ours = slowest.get('ours');
    const { kind = '' } = some.find(({ costs }) => costs.get('ours') === ours) ?? {};
    const size = large ? '≥ 5 KB' : '< 5 KB';
    const beside = (which: string, belongs: (name: ContenderName) => boolean): Row =>
      limited({
        row: `${size}, slowest ÷ JSON.parse, beside ${which}`,
        limit: large ? 0.3 : 1,
        samples: new Map([...slowest].filter(([name]) => name === 'ours' || belongs(name))),
        unit: PARSES,
        note: kind,
      });
    return [
      beside('reports of all errors', (name) => !STOPS_EARLY.has(name)),
      beside('the first error', (name) => STOPS_EARLY.has(name)),
    ];
  });
  return [...bySize, ...TRAFFIC[revision].map((sample) => firstErrorRow(all, sample))];
}

const FIRST_ERROR = { rounds: 5, warmUp: 30_000 };

/** One call of each, which judges and reports: all errors of ours, the first one of ajv, and all of ajv. */
function firstErrorRow({ running }: Prepared, sample: Sample): Row {
  const broken = brokenOf(running, sample);
  const texts = broken.map(({ message }) => JSON.stringify(message));
  const jobs: Record<string, () => void> = { parse: each(texts, (text) => JSON.parse(text)) };
  for (const name of ['ours', 'ajv-standalone', 'ajv'] as const) {
    const contender = running.get(name);
    if (contender) jobs[name] = each(broken, contender.report);
  }
  const found = interleaved(jobs, FIRST_ERROR);
  const own = (name: string): number[] => ratios(found[name], found['parse']);
  const first = `${CONTENDERS['ajv-standalone']}, the first error`;
  return measured({
    row: `errors of ${sample.kind}`,
    unit: PARSES,
    better: 'less',
    bars: { [OURS]: own('ours'), [first]: own('ajv-standalone'), 'ajv, all errors': own('ajv') },
    times: { [first]: 3 },
  });
}

/** Some broken variants of a message that ours refuses. */
function brokenOf(running: Prepared['running'], sample: Sample): Sample[] {
  const ours = running.get('ours');
  return breakages(sample)
    .filter((each) => ours?.receive(each) === false)
    .filter((_, index, { length }) => index % Math.ceil(length / BREAKAGES) === 0);
}

/** The code that schemasafe makes for all errors is no JavaScript. */
const NO_REPORTS: ReadonlySet<ContenderName> = new Set(['schemasafe']);

const STOPS_EARLY: ReadonlySet<ContenderName> = new Set(['ajv-standalone']);

function costs({ running }: Prepared, sample: Sample): Map<ContenderName, readonly number[]> {
  const ours = running.get('ours');
  const broken = brokenOf(running, sample);
  const texts = broken.map(({ message }) => JSON.stringify(message));
  const jobs: Record<string, () => void> = { parse: each(texts, (text) => JSON.parse(text)) };
  for (const [name, { receive, report: faults }] of running) {
    if (NO_REPORTS.has(name)) continue;
    // The check comes first, as on the wire. A contender that accepts a broken message has no report.
    if (broken.some((each) => receive(each) || faults(each) === 0)) continue;
    jobs[name] = each(broken, (message) => {
      if (!receive(message)) faults(message);
    });
  }
  // Ours reports in the same call.
  if (ours) jobs['ours'] = each(broken, ours.report);
  const found = interleaved(jobs, EFFORT);
  return new Map(
    NAMES.filter((name) => name in jobs).map((name) => [name, ratios(found[name], found['parse'])]),
  );
}

/** The message with one of its texts or numbers replaced by an object. */
function breakages(sample: Sample): Sample[] {
  const count = visit(parsed(sample).message, -1);
  return Array.from({ length: count }, (_, index) => {
    const copy = parsed(sample);
    visit(copy.message, index);
    return copy;
  });
}

/** Counts the leaves of a JSON value; replaces the one with that index. */
function visit(value: object, target: number, from = 0): number {
  let index = from;
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    if (typeof inner === 'object' && inner !== null) {
      index = visit(inner, target, index);
    } else {
      if (index === target) (value as Record<string, unknown>)[key] = { broken: true };
      index += 1;
    }
  }
  return index;
}
