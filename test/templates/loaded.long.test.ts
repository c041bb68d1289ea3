import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { choose, SERVER } from '../../generator/scaffold/index.js';
import { recordIn } from './loaded.js';
import { openWorkshop, type Workshop } from './workshop.js';

/** Servers as `new server` makes them load what they serve, and nothing else. */

const tsx = fileURLToPath(import.meta.resolve('tsx'));
const dist = fileURLToPath(new URL('../../runtime/dist', import.meta.url));

let workshop: Workshop;
beforeAll(() => {
  workshop = openWorkshop();
});
afterAll(() => workshop.close());

/** Starts a server, calls a tool as a client does, and returns what its process has loaded. */
async function loadedBy(name: string, flags: Record<string, string>): Promise<string[]> {
  const root = await workshop.make({ name, choices: choose(SERVER, flags) });
  const recorder = recordIn(mkdtempSync(join(workshop.folder, 'loaded-')));
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  );
  onTestFinished(() => client.close());
  const args = [...recorder.args, '--import', tsx, 'src/main.ts'];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, cwd: root, stderr: 'ignore' }),
  );
  const result = await client.callTool({ name: 'count-words', arguments: { text: 'one two' } });
  expect(result.structuredContent).toEqual({ words: 2, characters: 7 });
  return recorder.loaded();
}

/** Revisions of which any module is loaded. */
function revisionsIn(loaded: readonly string[]): string[] {
  const found = loaded.flatMap((path) => /^generated\/([^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(found)].filter((folder) => folder !== 'support').sort();
}

/** Dialects of which any source is in a bundle that is loaded. */
function dialectsIn(loaded: readonly string[]): string[] {
  const found = loaded
    .filter((path) => path.startsWith('modules/'))
    .flatMap(sourcesOf)
    .flatMap((source) => /\/server\/dialects\/(core|ext)\b/.exec(source)?.[1] ?? []);
  return [...new Set(found)].sort();
}

function sourcesOf(bundle: string): readonly string[] {
  const map = readFileSync(join(dist, `${bundle}.map`), 'utf8');
  return (JSON.parse(map) as { readonly sources: readonly string[] }).sources;
}

describe('a server loads', () => {
  it.each([
    ['core', '2025-11-25', ['2025-11-25']],
    // Older ones are loaded when a client negotiates one.
    ['core', '2025-06-18,2025-11-25', ['2025-11-25']],
    ['core', '2025-11-25,2026-07-28', ['2025-11-25', '2026-07-28']],
    ['ext', '2026-07-28', ['2026-07-28', 'ext-tasks']],
    ['core,ext', '2025-11-25', ['2025-11-25', '2026-07-28', 'ext-tasks']],
  ])(
    'of the dialects %s and the revisions %s, these only: %j',
    async (dialects, revisions, all) => {
      const name = `${dialects}-${revisions}`.replaceAll(',', '-');
      const loaded = await loadedBy(name, { dialects, revisions });
      expect(revisionsIn(loaded)).toEqual(all);
      const offered = [
        ...(all.some((revision) => revision < '2026') ? ['core'] : []),
        ...(all.includes('2026-07-28') ? ['ext'] : []),
      ];
      expect(dialectsIn(loaded)).toEqual(offered);
    },
  );

  it('with tasks in memory, no database', async () => {
    const loaded = await loadedBy('memory', { store: 'memory' });
    expect(loaded).toContain('modules/program.js');
    expect(loaded.filter((each) => /sqlite|libsql|postgres|jose/.test(each))).toEqual([]);
  });

  it('with tasks in a file, the database of Node.js or libsql', async () => {
    const loaded = await loadedBy('sqlite', { store: 'sqlite' });
    expect(loaded.filter((each) => /sqlite|libsql/.test(each))).toContainEqual(
      expect.stringMatching(/^(?:node:sqlite|libsql)$/),
    );
  });

  it('no validators that are made with Zod, and no client', async () => {
    const loaded = await loadedBy('full', {});
    expect(loaded.length).toBeGreaterThan(30);
    expect(loaded.filter((each) => /^generated\/.*zod\.js|^modules\/client/.test(each))).toEqual(
      [],
    );
  });
});
