import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROTOCOLS } from '../../contracts/protocols/protocols.js';
import { REVISIONS } from '../../generator/read/load/index.js';
import { answer, call, lines, START } from '../validate/support.js';
import { BIN, run, start } from './process.js';
import type { Ended } from './process.js';

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-validate-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const write = (path: string, text: string | Uint8Array): void =>
  writeFileSync(join(cwd, path), text);
const validate = (...args: string[]): Promise<Ended> => run(['validate', ...args], { cwd });

/** Runs it with piped input, which it may read in part. */
async function piped(input: string, ...args: string[]): Promise<Ended> {
  const child = start(['validate', ...args], { cwd });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined).end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

const GOOD = [...START, call(1), answer(1)];
const BAD = [...START, call(1, { name: 5 }), answer(1, { content: 'none' })];
const VALIDATE = { code: 0, stderr: 'stdin: 4 messages of 2025-11-25, 0 invalid\n' };

describe('--report', () => {
  it('writes a page, and changes neither the output nor the exit code', async () => {
    write('trace.jsonl', lines(...BAD));
    for (const more of [[], ['--json']]) {
      const plain = await validate('trace.jsonl', ...more);
      const reported = await validate('trace.jsonl', ...more, '--report', 'out/report.html');
      expect(reported).toMatchObject({ code: 3, stdout: plain.stdout });
      expect(reported.stderr).toContain('Report: out/report.html\n');
    }
    expect(readdirSync(join(cwd, 'out'))).toEqual(['report.html']);
    expect(readFileSync(join(cwd, 'out/report.html'), 'utf8')).toContain('#message=3');
  });

  it('takes standard input, and is silent with --quiet', async () => {
    const secret = call(1, { name: 'x', arguments: { password: 'hunter2!' } });
    const text = lines(...START, secret, answer(1));
    const quiet = await piped(text, '-', '--quiet', '--report', 'report.html');
    expect(quiet).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(cwd, 'report.html'), 'utf8')).not.toContain('hunter2!');
    await piped(text, '--report', 'report.html', '--show-secrets');
    expect(readFileSync(join(cwd, 'report.html'), 'utf8')).toContain('hunter2!');
  });

  it('keeps a file that is no report, and reads nothing then', async () => {
    write('trace.jsonl', lines(...GOOD));
    const { code, stdout, stderr } = await validate('trace.jsonl', '--report', 'trace.jsonl');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Cannot write the report to "trace.jsonl": it is an input.');
    expect(await validate('trace.jsonl', '--show-secrets')).toMatchObject({ code: 2 });
    expect(readFileSync(join(cwd, 'trace.jsonl'), 'utf8')).toBe(lines(...GOOD));
  });
});

describe('text', () => {
  it('prints the counts of checked messages', async () => {
    write('trace.jsonl', lines(...GOOD));
    expect(await validate('trace.jsonl')).toEqual({
      code: 0,
      stdout: [
        'method      requests  notifications  results  errors  invalid',
        'initialize  1         0              1        0       0',
        'tools/call  1         0              1        0       0',
        '',
        '4 messages, 0 invalid.',
        '',
      ].join('\n'),
      stderr: 'trace.jsonl: 4 messages of 2025-11-25, 0 invalid\n',
    });
  });

  it('prints each finding with its line and pointer', async () => {
    write('trace.jsonl', lines(...BAD, { jsonrpc: '2.0' }) + '{oops\n');
    const { code, stdout } = await validate('trace.jsonl');
    expect(code).toBe(3);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'trace.jsonl:3: error: /params/name: expected a string, received the number 5 (tools/call request from the client) [BASE-MSG-2]',
      'trace.jsonl:4: error: /result/content: expected an array, received the string "none" (response to tools/call from the server) [BASE-MSG-2]',
    ]);
    expect(stdout).toContain('trace.jsonl:6: error: This is not JSON: ');
    expect(stdout).toContain('\n5 messages, 3 invalid, 1 unreadable');
  });

  it('has the second message of a line, and names what is skipped', async () => {
    const [first, second, ...both] = BAD.map((message) => JSON.stringify(message));
    write('trace.jsonl', `ready\n${[first, second, both.join(' '), 'bye'].join('\n')}\n`);
    const { code, stdout, stderr } = await validate('trace.jsonl');
    expect(code).toBe(3);
    expect(stdout).toContain('4 messages, 2 invalid, 2 texts without a message skipped');
    expect(stderr).toContain('trace.jsonl: skipped lines 1, 5: no JSON object\n');
    const { files } = JSON.parse((await validate('trace.jsonl', '--json')).stdout) as {
      files: { skippedLines: unknown }[];
    };
    expect(files[0]?.skippedLines).toEqual([{ reason: 'text', count: 2, lines: [1, 5] }]);
  });

  it('is the same for a gzip file', async () => {
    write('trace.jsonl.gz', gzipSync(lines(...BAD)));
    const { code, stdout } = await validate('trace.jsonl.gz');
    expect(code).toBe(3);
    expect(stdout).toContain('4 messages, 2 invalid');
  });

  it('is limited by --max-errors and empty with --quiet', async () => {
    write('trace.jsonl', lines(...BAD));
    const few = await validate('trace.jsonl', '--max-errors', '1');
    expect(few.code).toBe(3);
    expect(few.stdout).toContain('trace.jsonl:3: ');
    expect(few.stdout).not.toContain('trace.jsonl:4: ');
    expect(few.stdout).toContain('1 finding not printed: raise --max-errors.\n');
    expect(await validate('trace.jsonl', '--quiet')).toEqual({ code: 3, stdout: '', stderr: '' });
    write('good.jsonl', lines(...GOOD));
    expect(await validate('good.jsonl', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('has colours only on request', async () => {
    write('trace.jsonl', lines(...BAD));
    const env = { FORCE_COLOR: '1' };
    const coloured = await run(['validate', 'trace.jsonl'], { cwd, env });
    expect(coloured.stdout).toContain('\u001b[31merror\u001b[39m');
  });
});

describe('inputs', () => {
  it.each<[string, string, string[]]>([
    ['JSON Lines', lines(...GOOD), []],
    ['an array', JSON.stringify(GOOD, null, 2), []],
    ['documents', GOOD.map((each) => JSON.stringify(each, null, 2)).join('\n'), []],
    [
      'a transcript',
      GOOD.map((each, i) => `${i % 2 ? '<--' : '-->'} ${JSON.stringify(each)}\n`).join(''),
      [],
    ],
    [
      'records',
      lines(...GOOD.map((message, i) => ({ from: i % 2 ? 'server' : 'client', message }))),
      [],
    ],
    ['what is named -', lines(...GOOD), ['-']],
  ])('may come from a pipe: %s', async (_, text, args) => {
    expect(await piped(text, ...args)).toMatchObject(VALIDATE);
  });

  it('are separate conversations', async () => {
    write('a.jsonl', lines(...GOOD));
    write('-b.jsonl', lines(...BAD));
    const ended = await validate('a.jsonl', '--json', '--', '-b.jsonl');
    const { files, summary, exitCode } = JSON.parse(ended.stdout) as Record<string, unknown>;
    expect(exitCode).toBe(3);
    expect(files).toMatchObject([
      { file: 'a.jsonl', revisions: ['2025-11-25'], messages: 4, invalid: 0 },
      { file: '-b.jsonl', messages: 4, invalid: 2, findings: { error: 2, unclear: 0, warning: 0 } },
    ]);
    expect(summary).toMatchObject({ messages: 8, invalid: 2, unanswered: 0, omitted: 0 });
  });

  it('may be batches in 2025-03-26 only', async () => {
    write('batch.jsonl', lines([call(1), call(2)], [answer(1), answer(2)]));
    expect((await validate('batch.jsonl', '--revision', '2025-03-26')).code).toBe(0);
    expect((await validate('batch.jsonl', '--revision', '2025-06-18')).code).toBe(3);
  });
});

describe('--json', () => {
  it('prints one document with the findings first', async () => {
    write('trace.jsonl', lines(...BAD));
    const { code, stdout } = await validate('trace.jsonl', '--json');
    expect(code).toBe(3);
    const document = JSON.parse(stdout) as Record<string, unknown>;
    expect(Object.keys(document)).toEqual([
      'schemaVersion',
      'findings',
      'command',
      'exitCode',
      'files',
      'summary',
      'methods',
      'diagnostics',
    ]);
    expect(document).toMatchObject({ schemaVersion: 1, command: 'validate', exitCode: 3 });
    expect(document['findings']).toMatchObject([
      {
        file: 'trace.jsonl',
        line: 3,
        severity: 'error',
        code: 'bad-message',
        message: '/params/name must be a string, but is the number 5.',
        pointer: '/params/name',
        expected: 'a string',
        received: 'the number 5',
        kind: 'request',
        method: 'tools/call',
        from: 'client',
      },
      { line: 4, kind: 'response', from: 'server' },
    ]);
    expect(document['methods']).toMatchObject([
      { method: 'initialize', invalid: 0 },
      { method: 'tools/call', requests: 1, results: 1, invalid: 2 },
    ]);
  });

  it('prints an empty list without findings', async () => {
    const { stdout } = await piped(lines(...GOOD), '--json');
    expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, findings: [], exitCode: 0 });
  });

  /** A file that can be opened but not read. */
  const unreadable = '/proc/self/mem';

  it.skipIf(!existsSync(unreadable))(
    'stays one document where something fails midway',
    async () => {
      write('trace.jsonl', lines(...BAD));
      const { code, stdout } = await validate('trace.jsonl', unreadable, '--json');
      expect(code).toBe(2);
      expect(JSON.parse(stdout)).toMatchObject({
        schemaVersion: 1,
        findings: [{ line: 3 }, { line: 4 }],
        diagnostics: [{ code: 'not-found', source: unreadable }],
      });
    },
  );
});

describe('usage', () => {
  it.each<[string[], string]>([
    [['no.jsonl'], 'Cannot read "no.jsonl": '],
    [['.'], 'it is a folder'],
    [['-', '--revision', '2025-11-26'], 'Did you mean 2025-11-25?'],
    [['-', '--from', 'clinet'], 'Did you mean client?'],
    [['-', '--extension', 'tasks'], 'Unknown value "tasks" for --extension.'],
    [['-', '--extension', 'ext-tasks', '--revision', '2025-11-25'], 'belongs to 2026-07-28'],
    [['-', '--max-errors', 'few'], '--max-errors is "few", not a whole number.'],
    [['-', '--max-errors', '-1'], '--max-errors'],
    [['-', '--quiet', '--json'], 'cannot be combined'],
    [['-', '--max-error', '1'], 'Did you mean --max-errors?'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await piped(lines(...GOOD), ...args);
    expect(code).toBe(2);
    expect(args.includes('--json') ? stdout : stderr).toContain(message);
  });

  it('requests --revision or --from when these are unknown, and ends with 2', async () => {
    const ping = lines(call(1, {}, 'ping'));
    const noRevision = await piped(ping);
    expect(noRevision.code).toBe(2);
    expect(noRevision.stdout).toContain('give --revision, one of 2024-11-05, ');
    const noSender = await piped(ping, '--revision', '2025-11-25');
    expect(noSender.code).toBe(2);
    expect(noSender.stdout).toContain('Both sides send "ping": give --from');
    const known = await piped(ping, '--revision', '2025-11-25', '--from', 'server');
    expect(known.code).toBe(0);
  });

  it('lists the known revisions when a message names another', async () => {
    const [initialize] = START;
    const other = JSON.stringify(initialize).replace('2025-11-25', '2099-01-01');
    const { code, stdout } = await piped(other);
    expect(code).toBe(3);
    expect(stdout).toContain('expected one of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25');
  });

  it('supports every bundled revision and extension', () => {
    const known = [
      ...Object.keys(PROTOCOLS.revisions),
      ...PROTOCOLS.extensions.map(({ name }) => name),
    ];
    expect(known).toEqual([...REVISIONS]);
  });

  it('loads only the validators that it needs', async () => {
    write('trace.jsonl', lines(...GOOD));
    const folder = join(cwd, 'coverage');
    const loaded = async (...args: string[]): Promise<number> => {
      await run(['validate', ...args], { cwd, env: { NODE_V8_COVERAGE: folder } });
      const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
      rmSync(folder, { recursive: true });
      return new Set(texts.join('').match(/dist\/cli\/validators-\w+\.js/g)).size;
    };
    expect(await loaded('trace.jsonl')).toBe(1);
    expect(await loaded('--help')).toBe(0);
  });
});

describe('untrusted input', () => {
  const escape = '\u001b[2J\u009b31m\u202e';

  it('does not reach the terminal unescaped', async () => {
    const method = `x${escape}`;
    const record = { from: escape, message: { jsonrpc: '2.0', id: 1, method } };
    const text = `${lines(record, { id: escape, result: {} })}${escape}{"a":1}\n{${escape}\n`;
    const name = `a${escape}.jsonl`;
    write(name, text);
    for (const more of [[], ['--json']]) {
      const ended = await validate(name, '--revision', '2025-11-25', ...more);
      expect(ended.code).toBe(3);
      expect(ended.stdout).toContain('\\u001b[2J\\u009b31m\\u202e');
      // eslint-disable-next-line no-control-regex -- they are what this is about
      expect(ended.stdout + ended.stderr).not.toMatch(/[\u001b\u009b\u202e]/);
    }
    const missing = await validate(`no${escape}`);
    expect(missing.stderr).toContain('\\u001b[2J');
    expect(missing.stderr).not.toContain('\u001b');
  });

  it.each<[string, string]>([
    ['nest 100,000 deep', '[{"a":'.repeat(50_000) + '1' + '}]'.repeat(50_000)],
    ['nest deeper than anything', '['.repeat(3_000_000)],
    ['open what they do not close', '{"a":['.repeat(100_000)],
    [
      'send arrays of millions',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":[${'1,'.repeat(5_000_000)}1]}`,
    ],
    ['send millions of objects', `{"a":[${'{},'.repeat(5_000_000)}{}]}`],
    [
      'touch prototypes',
      '{"__proto__":{"jsonrpc":"2.0"},"constructor":1,"message":{"__proto__":null}}',
    ],
    ['send numbers too large', '{"jsonrpc":"2.0","id":1e400,"method":"ping"}'],
    ['send half characters', '{"jsonrpc":"2.0","id":"\\ud800","method":"\\udfff"}'],
    ['send keys twice', '{"jsonrpc":"2.0","id":1,"method":"tools/call","method":5}'],
    ['send zero bytes', '\0'.repeat(1000)],
  ])('gets a verdict when messages %s', async (_, text) => {
    const more = ['--revision', '2025-11-25', '--from', 'client', '--max-errors', '5'];
    const ended = await piped(`${text}\n${lines(call(9))}`, ...more);
    expect(ended.code).toBe(3);
    expect(ended.stdout.length + ended.stderr.length).toBeLessThan(10_000);
    expect(ended.stderr).not.toMatch(/\n {4}at /);
  });
});

it('ends without an error when the reader of its findings closes the pipe', async () => {
  const child = start(['validate', '--max-errors', '1000000'], { cwd });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout.destroy();
  const bad = Array.from({ length: 20_000 }, (_, id) => call(id, { name: 5 }));
  child.stdin.on('error', () => undefined).end(lines(...START, ...bad));
  expect(await once(child, 'close')).toEqual([3, null]);
  expect(stderr).toBe('stdin: 20002 messages of 2025-11-25, 20000 invalid\n');
});

it.skipIf(!existsSync('/dev/full'))('says that its findings are lost on a full disk', () => {
  write('bad.jsonl', lines(...START, ...Array.from({ length: 2_000 }, (_, id) => call(id + 9))));
  const args = [BIN, 'validate', 'bad.jsonl', '--from', 'client', '--max-errors', '1000000'];
  const full = openSync('/dev/full', 'w');
  for (const more of [[], ['--json']]) {
    const { status, stderr } = spawnSync(process.execPath, [...args, ...more], {
      cwd,
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('error: Cannot write the output: no space is left on the disk.');
  }
  closeSync(full);
});
