import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { percentile } from '../../bench/bench.js';
import { amount, measured, OURS } from '../../bench/measured.js';
import { writeReport } from '../../bench/report/index.js';
import { isDrawn, panel } from '../../bench/report/panel.js';
import {
  readResults,
  sourcesOf,
  staleness,
  writeResults,
  type Results,
} from '../../bench/report/results.js';
import { scaleOf } from '../../bench/report/scale.js';
import { svgFile } from '../../bench/report/svg.js';
import { figureFiles, readFigures, withFigures } from '../../scripts/docs/figures.js';
import { root } from '../docs/snippets.js';
import { delays, hostileResults, rates, resultsOf, withoutFigure } from './results.js';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-figures-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('a row that was measured', () => {
  it('states the median, and its goals beside the peers', () => {
    expect(rates()).toMatchObject({
      goal: '≥ 1.5× SDK v1, ≥ 0.9× bare Node',
      ours: '1,000 per second and core',
      peer: 'SDK v1 450 (2.22×); bare Node 2,000 (0.50×)',
      met: false,
    });
  });

  it.each([
    ['most', 5, true],
    ['most', 4.9, false],
    ['times', 2, true],
    ['times', 1.9, false],
  ] as const)('judges %s %d', (kind, goal, met) => {
    const { met: judged } = measured({
      row: 'x',
      unit: 'ms',
      better: 'less',
      bars: { peer: [2.5], [OURS]: [5] },
      ...(kind === 'most' ? { most: goal } : { times: { peer: goal } }),
    });
    expect(judged).toBe(met);
  });

  it('states the 99th percentile of single delays', () => {
    expect(delays()).toMatchObject({ ours: '5.95 ms (p50 3.50 ms)', goal: '≤ 5 ms', met: false });
  });

  it.each([
    [48_291, '48,291 ms'],
    [99.96, '100 ms'],
    [12.34, '12.3 ms'],
    [1.234, '1.23 ms'],
    [0.0345, '0.035 ms'],
    [5, '5 ms'],
    [0, '0 ms'],
  ])('writes %d as %s', (value, text) => {
    expect(amount(value, 'ms')).toBe(text);
  });
});

describe('a drawing', () => {
  it.each([rates(), delays()].filter(isDrawn))('has every value and goal of $row', (row) => {
    const text = panel(row).content.text;
    for (const { name, samples } of row.figure.bars) {
      expect(text).toContain(`>${name}</text>`);
      const value = percentile(samples, row.figure.shown === 'p99' ? 0.99 : 0.5);
      expect(text).toContain(`>${amount(value, row.figure.unit === 'ms' ? 'ms' : '')}</text>`);
      expect(panel(row).says).toContain(`${name}: ${amount(value, row.figure.unit)}`);
    }
    for (const { says } of row.figure.goals) expect(text).toContain(`goal: ${says}`);
  });

  it('has an axis from 0 when values are of one size, and a logarithmic one otherwise', () => {
    const [near, far] = [rates(), delays()].filter(isDrawn).map(({ figure }) => scaleOf(figure));
    expect(near?.logarithmic).toBe(false);
    expect(near?.at(0)).toBe(0);
    expect(near?.at(1_050)).toBeCloseTo((near?.at(2_100) ?? NaN) / 2);
    expect(far?.logarithmic).toBe(true);
    expect((far?.at(10) ?? NaN) - (far?.at(1) ?? NaN)).toBeCloseTo(
      (far?.at(1_000) ?? NaN) - (far?.at(100) ?? NaN),
    );
  });

  it.each([[[0]], [[0, 0]], [[1e-9, 1e9]], [[NaN]], [[]]])('draws samples of %j', (samples) => {
    const row = measured({
      row: 'x',
      unit: 'ms',
      better: 'less',
      bars: { [OURS]: samples, b: [0] },
    });
    const { content, height } = panel(isDrawn(row) ? row : expect.fail());
    expect(content.text).not.toMatch(/NaN|Infinity|undefined/);
    expect(height).toBeGreaterThan(0);
  });

  it('escapes every text', () => {
    const results = hostileResults();
    const rows = results.benches.flatMap(({ rows }) => rows).filter(isDrawn);
    const svg = svgFile(results.subject, rows.map(panel), results.machine.processor);
    expect(svg).not.toMatch(/<script|<img|\u202e/);
    expect(svg.match(/<\/style>/g)).toHaveLength(1);
    expect(svg.match(/<\/title>/g)).toHaveLength(1);
  });
});

describe('results', () => {
  it('are read as they were saved', () => {
    const folder = temporaryFolder();
    const results = resultsOf([rates(), withoutFigure()]);
    writeResults(folder, results);
    const [read] = readResults(folder);
    expect(readResults(join(folder, 'server.json'))).toEqual([read]);
    expect(read?.benches[0]?.rows.map(({ row, ours, met }) => ({ row, ours, met }))).toEqual([
      { row: 'plain call', ours: '1,000 per second and core', met: false },
      { row: 'cancel', ours: '200 of 200', met: true },
    ]);
    expect(read?.benches[0]?.rows[0]?.figure?.bars[0]?.samples).toEqual([900, 1_000, 1_100]);
  });

  it('keep the percentiles of many samples', () => {
    const folder = temporaryFolder();
    writeResults(folder, resultsOf([delays()]));
    const [bar] = readResults(folder)[0]?.benches[0]?.rows[0]?.figure?.bars ?? [];
    expect(bar?.count).toBe(500);
    expect(bar?.samples).toHaveLength(101);
    expect(percentile(bar?.samples ?? [], 0.99)).toBeCloseTo(5.95);
  });

  it('become a page, and in a folder an SVG for each row that can be drawn', () => {
    const folder = temporaryFolder();
    const all = [resultsOf([rates(), delays(), withoutFigure()])];
    writeReport(join(folder, 'whole'), all);
    expect(readdirSync(join(folder, 'whole')).sort()).toEqual([
      'index.html',
      'server-peers-blocked-result-p99.svg',
      'server-peers-plain-call.svg',
      'server.json',
    ]);
    writeReport(join(folder, 'one', 'page.html'), all);
    expect(readdirSync(join(folder, 'one'))).toEqual(['page.html']);
  });

  const now = sourcesOf('server');
  const fresh: Results = { ...resultsOf([rates()]), ...now };
  it.each<[string, Partial<Results>, RegExp | undefined]>([
    ['the same sources', {}, undefined],
    ['another version', { version: '0.0.9' }, /^mcp-codegen is /],
    ['another bench', { bench: 'other' }, /^bench\/server measures something else$/],
    ['a changed checkout', { changed: true }, /not committed/],
    ['another peer', { peers: { ...now.peers, fastmcp: '1.0.0' } }, /^fastmcp is .*, not 1\.0\.0$/],
    ['a peer that is missing', { peers: {} }, /not measured$/],
  ])('with %s: stale or not', (_, change, why) => {
    const found = staleness({ ...fresh, ...change });
    if (why === undefined) expect(found).toEqual([]);
    else expect(found[0]).toMatch(why);
  });
});

describe('the figures of docs/peers.md', () => {
  const all = readFigures(root);

  it('are in the saved results', () => {
    expect(figureFiles(all).map(([path]) => path)).toEqual([
      'docs/figures/requests.svg',
      'docs/figures/start.svg',
      'docs/figures/validators.svg',
    ]);
  });

  it('name what is missing', () => {
    expect(() => figureFiles([])).toThrow('docs/figures/server.json is missing');
    expect(() => figureFiles([resultsOf([])])).toThrow(
      'docs/figures/server.json has no row "plain call, 2025-11-25"',
    );
    expect(() => withFigures('# No marks', all)).toThrow('has no place');
  });
});
