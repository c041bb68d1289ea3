import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../schema/bundled.js';
import { runHere } from './in-process.js';

/** A draft without a name of its own has the name of the revision that it is compared with. */

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-diff-'));
  const text = readFileSync(join(repository, 'schema/2026-07-28/schema.json'), 'utf8');
  writeFileSync(join(cwd, 'draft.json'), text.replace('"isError"', '"isFailure"'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

async function run(...argv: string[]): Promise<string> {
  const { code, text } = await runHere(argv, cwd);
  expect(code).toBe(0);
  return text;
}

describe('a comparison of a revision with its draft names', () => {
  it('the file in a text', async () => {
    expect(await run('diff', '2026-07-28', './draft.json')).toContain(
      '2026-07-28 → ./draft.json\n',
    );
  });

  it('the file in Markdown', async () => {
    expect(await run('diff', './draft.json', '2026-07-28', '--markdown')).toContain(
      '# `./draft.json` → `2026-07-28`\n',
    );
  });

  it('the file as data', async () => {
    expect(JSON.parse(await run('diff', '2026-07-28', './draft.json', '--json'))).toMatchObject({
      before: '2026-07-28',
      after: './draft.json',
    });
  });

  it('the file on a page', async () => {
    await run('explore', '--diff', '2026-07-28..draft.json', '--out', 'page.html');
    const page = readFileSync(join(cwd, 'page.html'), 'utf8');
    expect(page).toContain('2026-07-28 → draft.json');
  });

  it('each revision by its own name otherwise', async () => {
    expect(await run('diff', '2025-11-25', './draft.json')).toContain('2025-11-25 → 2026-07-28\n');
  });
});
