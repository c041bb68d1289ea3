import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { answer, call, initialized, START } from '../validate/support.js';
import { start } from './process.js';
import { sized } from '../support/size.js';

const MB = 1_000_000;
const LIMIT_KB = 150 * 1024;
const text = (value: unknown): string => JSON.stringify(value);

interface Fed {
  readonly code: number | null;
  readonly stdout: string;
  /** Resident memory in KB. */
  readonly peak: number;
}

/** Pipes texts in as fast as they are read, and measures the memory. */
async function feed(texts: Iterable<string>, ...args: string[]): Promise<Fed> {
  const child = start(['validate', '-', ...args], { cwd: tmpdir() });
  let stdout = '';
  let peak = 0;
  child.stdout.setEncoding('utf8').on('data', (some: string) => (stdout += some));
  child.stderr.resume();
  const ended = once(child, 'close') as Promise<[number | null]>;
  // Reads the kernel's highest value at the end.
  const watch = setInterval(() => (peak = Math.max(peak, peakOf(child.pid))), 50);
  for (const some of texts) if (!child.stdin.write(some)) await once(child.stdin, 'drain');
  peak = Math.max(peak, peakOf(child.pid));
  child.stdin.end();
  const [code] = await ended;
  clearInterval(watch);
  return { code, stdout, peak };
}

function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** A conversation of at least this many bytes, in blocks. */
function* conversation(bytes: number, separator: string): Generator<string> {
  const begin = [...START, { jsonrpc: '2.0', method: 'notifications/initialized' }];
  let size = 0;
  let id = 0;
  yield begin.map(text).join(separator);
  while (size < bytes) {
    let block = '';
    for (let turn = 0; turn < 300; turn += 1) {
      id += 1;
      const content = [{ type: 'text', text: `${'x'.repeat(1400 + (id % 500))} ${String(id)}` }];
      const asked = call(id, { name: 'search', arguments: { query: `thing ${String(id)}` } });
      block += separator + text(asked) + separator + text(answer(id, { content }));
    }
    size += block.length;
    yield block;
  }
}

function* between(before: string, texts: Iterable<string>, after: string): Generator<string> {
  yield before;
  yield* texts;
  yield after;
}

/** Requests without answers, each with a long id and a progress token. */
function* unanswered(count: number): Generator<string> {
  yield `${text(initialized())}\n`;
  for (let id = 0; id < count; id += 1000) {
    yield Array.from({ length: 1000 }, (_, more) => {
      const name = `${'i'.repeat(60)}${String(id + more)}`;
      return `${text(call(name, { name: 'x', _meta: { progressToken: name } }))}\n`;
    }).join('');
  }
}

/** A line of this number of bytes between two valid lines. */
function* longLine(bytes: number): Generator<string> {
  yield `${text(START[0])}\n${text(START[1])}\n{"jsonrpc":"2.0","x":"`;
  for (let size = 0; size < bytes; size += MB) yield 'x'.repeat(MB);
  yield `"}\n${text(call(1, { name: 5 }))}\n`;
}

const FINDINGS = ['--max-errors', '1000000000', '--json'];

it.skipIf(!existsSync('/proc/self/status')).each<[string, Iterable<string>, string[], number]>([
  ['a long transcript', conversation(sized(300) * MB, '\n'), [], 0],
  ['a long array on one line', between('[', conversation(sized(200) * MB, ','), ']'), [], 0],
  ['a transcript of 200 MB on one line', conversation(200 * MB, ' '), [], 0],
  ['300,000 requests without an answer', unanswered(300_000), [], 2],
  ['requests with ids, methods and tokens of 100 KB', longTexts(1000), [], 3],
  ['200,000 findings in a document', badCalls(200_000), FINDINGS, 3],
  ['a line of 300 MB', longLine(300 * MB), [], 3],
])('takes no more than 150 MB for %s', async (_, texts, args, code) => {
  const fed = await feed(texts, ...args);
  expect(fed.code).toBe(code);
  expect(fed.peak).toBeGreaterThan(20 * 1024);
  expect(fed.peak).toBeLessThanOrEqual(LIMIT_KB);
  if (args.includes('--json')) {
    const { findings } = JSON.parse(fed.stdout) as { findings: unknown[] };
    expect(findings).toHaveLength(200_000);
  }
});

function* badCalls(count: number): Generator<string> {
  yield `${text(START[0])}\n${text(START[1])}\n`;
  for (let id = 1; id <= count; id += 1)
    yield `${text(call(id, { name: 5 }))}\n${text(answer(id))}\n`;
}

/** Requests without answers whose stored fields are all long. */
function* longTexts(count: number): Generator<string> {
  yield `${text(START[0])}\n${text(START[1])}\n`;
  for (let id = 0; id < count; id += 1) {
    const long = `${'l'.repeat(MB / 10)}${String(id)}`;
    yield `${text(call(long, { _meta: { progressToken: long } }, long))}\n`;
  }
}
