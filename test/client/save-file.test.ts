import fc from 'fast-check';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import {
  safeFileName,
  saveReceivedFile,
  writePrivateFile,
} from '../../runtime/client/node/index.js';

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const data = Buffer.from('data');

describe('the name of a file from a server', () => {
  it.each([
    ['plot.png', 'plot.png'],
    ['file:///reports/2026/plot.png?size=2#top', 'plot.png'],
    ['../../.ssh/authorized_keys', 'authorized_keys.bin'],
    ['..%2f..%2fetc%2fpasswd', 'passwd.bin'],
    ['C:\\Windows\\win.ini', 'win.ini'],
    ['/', 'file.bin'],
    ['..', 'file.bin'],
    ['.bashrc', 'bashrc.bin'],
    ['-rf', 'rf.bin'],
    ['NUL.txt', '_NUL.txt'],
    ['con', '_con.bin'],
    ['a\u0000b\u202egnp.exe', 'a_b_gnp.exe'],
    ['Bericht Ä.pdf', 'Bericht Ä.pdf'],
    ['x. . .', 'x.bin'],
    ['%zz', '_zz.bin'],
  ])('%j becomes %s', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  it('gets its extension from the media type', () => {
    expect(safeFileName('plot', 'image/png; q=1')).toBe('plot.png');
    expect(safeFileName('plot', 'constructor')).toBe('plot.bin');
  });

  it('never leads elsewhere', () => {
    const parts = fc.constantFrom('..', '.', '/', '\\', '%2e', '%2F', 'a', ' ', '-', ':', '\u0000');
    const names = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(parts).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(names, (name) => {
        const safe = safeFileName(name);
        expect(safe).toMatch(/^[\p{L}\p{N}_][\p{L}\p{N} ._-]*$/u);
        expect(safe.length).toBeLessThanOrEqual(81);
        expect(dirname(join('/folder', safe))).toBe('/folder');
        expect(basename(safe)).toBe(safe);
      }),
    );
  });
});

describe('saving a file from a server', () => {
  it('replaces no file, and follows no link', async () => {
    const folder = temporary();
    const outside = join(temporary(), 'outside.png');
    writeFileSync(join(folder, 'plot.png'), 'mine');
    symlinkSync(outside, join(folder, 'plot-2.png'));
    const path = await saveReceivedFile(folder, { name: 'a/plot.png', data });
    expect(path).toBe(join(folder, 'plot-3.png'));
    expect(readFileSync(path, 'utf8')).toBe('data');
    expect(readFileSync(join(folder, 'plot.png'), 'utf8')).toBe('mine');
  });

  it('cuts a long name of any script to what file systems take', async () => {
    const folder = temporary();
    const name = `${'報告書'.repeat(50)}.png`;
    await saveReceivedFile(folder, { name, data });
    await saveReceivedFile(folder, { name, data });
    const stem = '報告書'.repeat(50).slice(0, 76);
    expect(readdirSync(folder).sort()).toEqual([`${stem}-2.png`, `${stem}.png`].sort());
  });

  it('creates its folder', async () => {
    const folder = join(temporary(), 'new', 'folder');
    await saveReceivedFile(folder, { name: '', mimeType: 'image/png', data });
    expect(readdirSync(folder)).toEqual(['file.png']);
  });

  it('says which folder is a file', async () => {
    const file = join(temporary(), 'file');
    writeFileSync(file, '');
    const saved = saveReceivedFile(file, { name: 'a', data });
    await expect(saved).rejects.toThrow(`The folder ${file} cannot be created (EEXIST).`);
  });
});

describe.runIf(platform() === 'linux')('a folder below /proc, which refuses new folders', () => {
  const reason = 'The folder /proc/mcp-codegen cannot be created (ENOENT). Choose another one.';

  it('is named when a file from a server cannot be saved', async () => {
    const saved = saveReceivedFile('/proc/mcp-codegen/saved', { name: 'a', data });
    await expect(saved).rejects.toThrow(reason);
  });

  it('is named when a private file cannot be written', async () => {
    const path = '/proc/mcp-codegen/saved/servers.json';
    await expect(writePrivateFile(path, {})).rejects.toMatchObject({
      name: 'PrivateFileError',
      message: `${path} cannot be written. ${reason}`,
    });
  });
});
