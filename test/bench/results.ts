import type { Row } from '../../bench/bench.js';
import { measured, OURS } from '../../bench/measured.js';
import type { Results } from '../../bench/report/results.js';

/** A row of rounds, with a goal beside each peer that `times` names. */
export const rates = (row = 'plain call'): Row =>
  measured({
    row,
    unit: 'per second and core',
    better: 'more',
    bars: {
      [OURS]: [900, 1_000, 1_100],
      'SDK v1': [400, 500, 450],
      'bare Node': [2_000, 2_100, 1_900],
    },
    times: { 'SDK v1': 1.5, 'bare Node': 0.9 },
  });

/** A row of single delays, which differ so much that its axis is logarithmic. */
export const delays = (row = 'blocked result, p99'): Row =>
  measured({
    row,
    unit: 'ms',
    better: 'less',
    shown: 'p99',
    bars: { [OURS]: Array.from({ length: 500 }, (_, n) => 1 + n / 100), 'SDK v1': [950, 960, 990] },
    most: 5,
  });

export const withoutFigure = (row = 'cancel'): Row => ({
  row,
  goal: '100 %',
  ours: '200 of 200',
  peer: '0 of 200',
  met: true,
});

export function resultsOf(rows: readonly Row[], name = 'server/peers'): Results {
  return {
    schemaVersion: 1,
    subject: 'server',
    version: '0.1.0',
    commit: '0123456789abcdef',
    changed: false,
    date: '2026-05-06T07:08Z',
    machine: { processor: 'CPU', cores: 2, node: '20.19.0', system: 'Linux 6', load: 0.1 },
    peers: { fastmcp: '4.0.0' },
    bench: 'hash',
    benches: [{ name, rows }],
  };
}

const HOSTILE = `</text></title></style><script>globalThis.broken = 1</script><img src="https://example.com/x" onerror="globalThis.broken = 1">"'&\u0000\u202e`;

/** Results with such a text in each place that takes one. */
export function hostileResults(): Results {
  const row = measured({
    row: HOSTILE,
    unit: HOSTILE,
    better: 'less',
    bars: { [OURS]: [1, 2, 3], [HOSTILE]: [4, 5, 6] },
    most: 2,
    times: { [HOSTILE]: 2 },
    note: HOSTILE,
  });
  const plain = { ...withoutFigure(HOSTILE), goal: HOSTILE, ours: HOSTILE, peer: HOSTILE };
  return {
    ...resultsOf([row, plain], HOSTILE),
    subject: HOSTILE,
    version: HOSTILE,
    commit: HOSTILE,
    date: HOSTILE,
    peers: { [HOSTILE]: HOSTILE },
    machine: { processor: HOSTILE, cores: 1, node: HOSTILE, system: HOSTILE, load: 0 },
  };
}
