import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertReportPath, writeReport } from '../../cli/report-file.js';
import { coreRecording, jsonl } from '../report/recordings.js';
import { reportOf } from '../report/reports.js';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-report-file-'));
  writeFileSync(join(cwd, 'trace.jsonl'), 'x');
  mkdirSync(join(cwd, 'folder'));
  symlinkSync('trace.jsonl', join(cwd, 'link.html'));
  linkSync(join(cwd, 'trace.jsonl'), join(cwd, 'hard.html'));
  symlinkSync('folder', join(cwd, 'alias'));
  writeFileSync(join(cwd, 'folder', 'input.jsonl'), 'x');
  writeFileSync(join(cwd, 'mine.html'), '<!doctype html>');
});
afterEach(() => rmSync(cwd, { recursive: true }));

const INPUTS = ['trace.jsonl', 'folder/input.jsonl'];
const page = await reportOf(jsonl(coreRecording(4)));

describe('the file of a report', () => {
  it.each([
    ['trace.jsonl', 'it is an input'],
    ['./folder/../trace.jsonl', 'it is an input'],
    ['hard.html', 'it is an input'],
    ['link.html', 'it is an input'],
    ['alias/input.jsonl', 'it is an input'],
    ['folder', 'it is a folder'],
    ['.', 'it is a folder'],
    ['-', 'a report needs a file'],
    ['', 'it is a folder'],
    ['/', 'it is a folder'],
    ['alias', 'it is a symbolic link'],
    ['mine.html', 'it exists, and is not a report'],
    ['trace.jsonl/report.html', 'is not a folder'],
    ['trace.jsonl/a/b/report.html', 'is not a folder'],
    ['re:port?.html', 'not every system allows this name'],
    ['/dev/null', 'it is not a file'],
  ])('is refused before anything is read: %j', (path, reason) => {
    expect(() => assertReportPath(path, INPUTS, cwd)).toThrow(reason);
  });

  it.each(['report.html', 'new/folder/report.html', 'alias/report.html', '.report'])(
    'is written, and replaced by a newer report: %s',
    (path) => {
      const before = readdirSync(cwd);
      for (const text of [page, page.replace('trace', 'newer')]) {
        assertReportPath(path, INPUTS, cwd);
        writeReport(path, text, cwd);
        expect(readFileSync(join(cwd, path), 'utf8')).toBe(text);
      }
      const added = readdirSync(cwd).filter((name) => !before.includes(name));
      expect(added.length).toBeLessThan(2);
      expect(readFileSync(join(cwd, 'trace.jsonl'), 'utf8')).toBe('x');
    },
  );

  it('is not written over what came into its place meanwhile', () => {
    mkdirSync(join(cwd, 'report.html'));
    expect(() => writeReport('report.html', page, cwd)).toThrow('report.html');
    expect(existsSync(join(cwd, 'report.html'))).toBe(true);
    expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
