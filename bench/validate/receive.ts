import type { Bench, Row } from '../bench.js';
import { costsOf } from './costs.js';
import { kindRow } from './kinds.js';
import { median } from './measure.js';
import { prepared } from './prepare.js';
import type { ContenderName, Prepared } from './prepare.js';
import { absences, faster, limited, PARSES } from './rows.js';
import { TRAFFIC } from './traffic.js';
import type { Sample, TrafficRevision } from './traffic.js';
import { varied, withMixedLists } from './variety.js';

const MIXED = { rounds: 11, warmUp: 800_000 };
const BY_KIND = { rounds: 5, warmUp: 60_000 };
/** Variants of each kind of message, all of which each contender sees before it is measured. */
const VARIANTS = 60;
/** The rounds in which it sees them. */
const ROUNDS = 20;
/** The number of variants that are measured, few enough to stay in the processor's cache, as fresh messages are. */
const MEASURED = 4;

/** The cost of checking a valid message of many clients and servers, relative to parsing it. */
export function receive(revision: TrafficRevision): Bench {
  return {
    name: `validate/receive ${revision}`,
    run: () =>
      prepared(revision, (all) =>
        Promise.resolve(rows(revision, all, seenBy(all.running, TRAFFIC[revision]), true)),
      ),
  };
}

/**
 * The same in a process in which all messages of a kind have one shape, so that the engine knows the place of each
 * property. It has to run before the others, because a process does not forget shapes.
 */
export function receiveUniform(revision: TrafficRevision): Bench {
  return {
    name: `validate/receive ${revision}, one shape`,
    run: () => prepared(revision, (all) => Promise.resolve(rows(revision, all, TRAFFIC[revision]))),
  };
}

/** The same where the items of lists have many shapes, as those of several servers, and all else has one. */
export function receiveLists(revision: TrafficRevision): Bench {
  return {
    name: `validate/receive ${revision}, lists of many shapes`,
    run: () =>
      prepared(revision, (all) => {
        const contenders = [...all.running.values()];
        const samples = withMixedLists(TRAFFIC[revision], (sample) =>
          contenders.every(({ receive }) => receive(sample)),
        );
        return Promise.resolve(rows(revision, all, samples));
      }),
  };
}

function rows(
  revision: TrafficRevision,
  all: Prepared,
  variants: readonly Sample[],
  kindRows = false,
): Row[] {
  const kinds = TRAFFIC[revision].map(({ kind }) => ({
    kind,
    samples: variants.filter((each) => each.kind === kind).slice(0, MEASURED),
  }));
  const mixed = costsOf(
    all.running,
    kinds.flatMap(({ samples }) => samples),
    MIXED,
  );
  const ours = mixed.get('ours') ?? [];
  // Contenders that take longer than parsing overall are never the best of a kind.
  const quick = new Map(
    [...all.running].filter(([name]) => median(mixed.get(name) ?? [Infinity]) < 1),
  );
  const slowest = new Map<ContenderName, readonly number[]>();
  let slowestKind = '';
  const each: Row[] = [];
  for (const { kind, samples } of kinds) {
    const own = costsOf(quick, samples, BY_KIND);
    each.push(kindRow(kind, own));
    for (const [name, found] of own) {
      if (median(found) <= median(slowest.get(name) ?? [0])) continue;
      slowest.set(name, found);
      if (name === 'ours') slowestKind = kind;
    }
  }
  const sdks = (['sdk-v1', 'sdk-v2'] as const).flatMap((name) => {
    const samples = mixed.get(name);
    return samples ? [samples] : [];
  });
  const [sdk] = sdks.sort((a, b) => median(a) - median(b));
  return [
    limited({ row: 'mixed ÷ JSON.parse', limit: 0.04, samples: mixed, unit: PARSES }),
    limited({
      row: 'slowest kind ÷ JSON.parse',
      limit: 0.06,
      samples: slowest,
      note: slowestKind,
      unit: PARSES,
    }),
    faster('faster than ata-validator', 1.3, ours, mixed.get('ata')),
    faster('faster than ajv standalone', 4, ours, mixed.get('ajv-standalone')),
    faster('faster than the SDK', 50, ours, sdk),
    ...(kindRows ? each : []),
    ...absences(all),
  ];
}

/** Variants of the samples that every contender accepts, and has seen often. */
function seenBy(running: Prepared['running'], samples: readonly Sample[]): readonly Sample[] {
  const contenders = [...running.values()];
  const variants = varied(samples, VARIANTS, (sample) =>
    contenders.every(({ receive }) => receive(sample)),
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const sample of variants) for (const { receive } of contenders) receive(sample);
  }
  return variants;
}
