import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportPage } from '../../pages/index.js';
import type { Data, PageRow } from '../../pages/report/data.js';
import { pack, unpack } from '../../pages/report/packed.js';
import { noticesOf, Recorder } from '../../pages/findings/index.js';
import { printMessage } from '../../pages/findings/print.js';
import { FINDINGS } from '../../contracts/validate/index.js';
import type { Finding, FindingCode } from '../../contracts/validate/index.js';
import { START } from '../validate/support.js';
import { hostileRecording } from './hostile.js';
import { coreRecording, extRecording, jsonl, withFaults } from './recordings.js';
import { ASSETS, recorderOf, reportOf } from './reports.js';

/** What the script of a page reads. */
function dataIn(page: string) {
  const [, json = ''] =
    /<script type="application\/json" class="rows">(.*)<\/script>/.exec(page) ?? [];
  const { tasks, rows: packed } = JSON.parse(json) as Data;
  const rows = unpack<PageRow>(packed);
  const findings = rows.flatMap(({ findings }, row) =>
    findings.map((finding) => ({ row, ...finding })),
  );
  return { tasks, rows, findings };
}

function bodiesIn(page: string): string[] {
  const chunks = page.matchAll(/<script type="application\/json" class="bodies">(.*)<\/script>/g);
  return [...chunks].flatMap(([, json = '']) => JSON.parse(json) as string[]);
}

const jsonrpc = '2.0';

describe('a report', () => {
  it('shows each finding with its own severity, and marks code in sentences', () => {
    for (const severity of ['error', 'unclear', 'warning'] as const) {
      for (const code of Object.keys(FINDINGS) as FindingCode[]) {
        const recorder = new Recorder({ showSecrets: false });
        recorder.finding({ code, severity, message: 'Of `a`' } as Finding);
        const [, rules = ''] = reportPage(recorder, ASSETS).split('id="findings-title"');
        expect(rules).toContain(`<span class="severity ${severity}">${severity}</span>`);
        expect(rules.match(/class="severity /g)).toHaveLength(1);
        expect(rules.split('</section>')[0]).not.toContain('`');
      }
    }
  });

  it.each([
    ['error', 'alarm'],
    ['unclear', 'caution'],
    ['warning', 'caution'],
  ] as const)(
    'marks methods, tasks and times by their worst finding: %s',
    async (severity, mark) => {
      const recording = { 'trace.jsonl': jsonl(coreRecording(80)) };
      const page = reportPage(
        await recorderOf(recording, { showSecrets: false }, severity),
        ASSETS,
      );
      const part = (from: string, to: string) => page.split(from)[1]?.split(to)[0] ?? '';
      const other = mark === 'alarm' ? 'caution' : 'alarm';
      const traffic = part('<figure class="traffic">', '</svg>').split('<svg')[1] ?? '';
      expect(traffic).toContain(`class="${mark}"`);
      expect(traffic).not.toContain(`class="${other}"`);
      const ends = part('<ul class="tasks">', '</ul>');
      expect(ends).toMatch(new RegExp(`class="${mark}">\\d+ findings?<`));
      expect(ends).not.toContain(`class="${other}"`);
      const rows = part('<table class="methods">', '</table>').split('<tr>');
      const call = rows.find((row) => row.includes('<code>tools/call</code>')) ?? '';
      // After requests, notifications, results and errors.
      expect([...call.matchAll(/<td class="([^"]*)"/g)][4]?.[1]).toBe(`number ${mark}`);
    },
  );

  it.each([
    ['core', coreRecording(80), '2025-11-25'],
    ['ext', extRecording(80), '2026-07-28'],
  ] as const)(
    'joins requests to answers and follows tasks: %s',
    async (dialect, lines, revision) => {
      const page = await reportOf(jsonl(lines));
      const { rows, findings, tasks } = dataIn(page);
      expect(findings).toEqual([]);
      expect(rows.map(({ number }) => number)).toEqual(lines.map((_, index) => index + 1));
      expect(rows.map(({ line }) => line)).toEqual(rows.map(({ number }) => number));
      rows.forEach(({ answers }, index) => {
        const { id, method } = lines[index]?.message ?? {};
        const asked = lines[(answers ?? 0) - 1]?.message;
        if (method === undefined)
          expect(asked).toMatchObject({ id, method: expect.any(String) as string });
        else expect(answers).toBeUndefined();
      });
      expect(tasks.length).toBeGreaterThan(2);
      const about = lines.map(
        ({ message }) => /"taskId":"(.*?)"/.exec(JSON.stringify(message))?.[1],
      );
      about.forEach((taskId, index) => {
        if (taskId !== undefined) expect(tasks[rows[index]?.task ?? -1]).toBe(taskId);
      });
      expect(page).toContain(`revision ${revision}`);
      expect(page).toContain(`<span class="badge">${dialect}</span>`);
      expect(page).toContain('then input_required, then completed');
      expect(page).toMatch(/tools\/call: median \d/);
    },
  );

  it('has each finding at its message, and its pointer at the lines of the part', async () => {
    const page = await reportOf(jsonl(withFaults(coreRecording(120), 7)));
    const { rows, findings } = dataIn(page);
    const bodies = bodiesIn(page);
    expect(findings.length).toBeGreaterThan(10);
    for (const { row, pointer, lines: [first] = [-1] } of findings) {
      const [line = ''] = (bodies[row] ?? '').split('\n').slice(first);
      const key = pointer.split('/').at(-1) ?? '';
      expect(line.trim()).toMatch(key === '' ? /^\{$/ : new RegExp(`^"${key}": `));
    }
    const links = [...page.matchAll(/#message=(\d+)/g)].map(([, number]) => Number(number));
    expect(links).toEqual(findings.slice(0, 10).map(({ row }) => rows[row]?.number));
  });

  it('shows what is no message, at its line', async () => {
    const recorder = await recorderOf({
      'a.jsonl': `{"jsonrpc":"2.0","id":1,"method":"ping"}\n{oops\n[]\n`,
    });
    const { rows, findings } = dataIn(reportPage(recorder, ASSETS));
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(rows.map(({ kind }) => kind)).toEqual(['request', 'note', 'note']);
    expect(findings.map(({ row, code }) => [row, code])).toEqual(
      expect.arrayContaining([[1, 'not-json']]),
    );
  });

  it('shows several inputs, each a conversation of its own', async () => {
    const text = jsonl(coreRecording(20));
    const page = reportPage(await recorderOf({ 'a.jsonl': text, 'b.jsonl': text }), ASSETS);
    const { rows } = dataIn(page);
    expect(rows.map(({ number }) => number)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    const answers = rows.map(({ answers = 0 }) => answers);
    expect(answers.slice(20).filter(Boolean)).toEqual(
      answers
        .slice(0, 20)
        .filter(Boolean)
        .map((each) => each + 20),
    );
    expect(page).toContain('<h1>a.jsonl, b.jsonl</h1>');
  });

  it('joins messages of an unknown revision too', async () => {
    const page = await reportOf(
      jsonl([
        { jsonrpc, id: 1, method: 'ping' },
        { jsonrpc, id: 1, result: {} },
      ]),
    );
    expect(dataIn(page).rows.map(({ answers }) => answers)).toEqual([undefined, 1]);
  });
});

describe('a report of more messages than it has room for', () => {
  const limits = { rows: 400, found: 100, characters: 1_000_000 };

  it('is a sample of whole exchanges with every finding, and says so', async () => {
    const lines = withFaults(coreRecording(3000));
    const recorder = await recorderOf(
      { 'trace.jsonl': jsonl(lines) },
      { showSecrets: false, limits },
    );
    const full = await recorderOf({ 'trace.jsonl': jsonl(lines) });
    const page = reportPage(recorder, ASSETS);
    const { rows, findings } = dataIn(page);
    expect(findings).toHaveLength(dataIn(reportPage(full, ASSETS)).findings.length);
    expect(rows.length).toBeLessThanOrEqual(limits.rows + limits.found);
    expect(rows.length).toBeGreaterThan(limits.rows / 4);
    const kept = new Set(rows.map(({ number }) => number));
    for (const { answers, isChange, findings } of rows) {
      if (answers && findings.length === 0 && !isChange) expect(kept).toContain(answers);
    }
    expect(noticesOf(recorder).join(' ')).toMatch(/This is a sample: [\d,]+ of 3,000 messages/);
    expect(page).toContain('This is a sample');
    expect([...recorder.methods.values()].map(({ kinds }) => kinds)).toEqual(
      [...full.methods.values()].map(({ kinds }) => kinds),
    );
  });

  it('is bounded when every message is large or has a finding', async () => {
    const large = {
      jsonrpc,
      id: 1,
      method: 'ping',
      params: { text: 'x'.repeat(30_000), list: Array(3000).fill(1) },
    };
    const bad = Array.from({ length: 900 }, (_, id) => ({ ...large, id, jsonrpc: '1' }));
    const recorder = await recorderOf(
      { 'trace.jsonl': jsonl([...START, ...bad]) },
      { showSecrets: false, limits },
    );
    const page = reportPage(recorder, ASSETS);
    expect(page.length).toBeLessThan(4 * limits.characters);
    expect(page).toContain('800 messages with findings are not in this report');
  });
});

describe('a report of a hostile recording', () => {
  it('has no tag and no attribute of the recording', async () => {
    const page = reportPage(
      await recorderOf({ '<script>globalThis.broken = 1</script>': hostileRecording() }),
      ASSETS,
    );
    const usual = new Set(tagsIn(await reportOf(jsonl(withFaults(coreRecording(200), 9)))));
    expect(tagsIn(page).filter((tag) => !usual.has(tag))).toEqual([]);
    expect(page.match(/<script>/g)).toHaveLength(1);
    expect(page.match(/<\/script>/g)).toHaveLength(page.match(/<script[ >]/g)?.length ?? 0);
    const unquoted = markupOf(page).replace(/"[^"]*"/g, '""');
    expect(/<[a-z][^<>]*\s(?:on\w+|style|src)=/.exec(unquoted)?.[0]).toBeUndefined();
    expect(page).not.toMatch(/[\u2028\u2029\u202e\u2066]/);
    expect(page.length).toBeLessThan(2_000_000);
    expect(bodiesIn(page)).toHaveLength(dataIn(page).rows.length);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

it('prints deep, wide and long messages within bounds, and keeps what a pointer leads to', () => {
  const value = {
    list: Array.from({ length: 2000 }, (_, index) => ({ index })),
    text: 'é'.repeat(10_000),
  };
  const printed = printMessage(value, {
    showSecrets: false,
    answers: '',
    budget: 2000,
    pointers: ['/list/1999/index', '/text', '/missing', '', '/list/1999/index/deeper'],
  });
  const lines = printed.text.split('\n');
  const at = printed.places.map((place) => lines[place?.first ?? -1]?.trim());
  expect(at).toEqual([
    '"index": 1999',
    expect.stringMatching(/^"text": "é/),
    '{',
    '{',
    '"index": 1999',
  ]);
  expect(printed.text.length).toBeLessThan(12_000);
  expect(printed.isCut).toBe(true);
});

it('has a style and a script that cannot end their element', () => {
  for (const text of [ASSETS.style, ASSETS.script ?? '']) {
    expect(text.length).toBeGreaterThan(500);
    expect(text).not.toContain('</');
  }
});

it('packs rows into columns and unpacks them, whatever they contain', () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }).filter((each) => each !== null),
    fc.constant(undefined),
  );
  fc.assert(
    fc.property(
      fc.array(fc.record({ a: value, b: fc.constantFrom('x', 'y'), c: fc.boolean() })),
      (rows) => {
        const packed = JSON.parse(JSON.stringify(pack(rows))) as ReturnType<typeof pack>;
        expect(unpack(packed)).toEqual(JSON.parse(JSON.stringify(rows)));
      },
    ),
  );
});

/** A page without its scripts and its style. */
function markupOf(page: string): string {
  return page.replace(/<(script|style)[ >].*?<\/\1>/gs, '');
}

/** The names of elements. */
function tagsIn(page: string): string[] {
  return [...markupOf(page).matchAll(/<([a-z][a-z0-9-]*)/g)].map(([, tag = '']) => tag);
}
