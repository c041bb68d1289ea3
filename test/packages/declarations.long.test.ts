import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as api from '@opentelemetry/api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { OpenTelemetryApi } from '../../runtime/telemetry/index.js';
import { runtimeEntries } from '../../scripts/packages/entries.js';
import { newProject, root, runtimeTarball, type Project } from './packed.js';

const ZOD = ['zod'];
/** The packages that the users of an entry install. `pg` has its declarations in another package. */
const INSTALLED: Readonly<Record<string, readonly string[]>> = {
  server: ZOD,
  program: ZOD,
  'sdk-guest': ZOD,
  testing: ZOD,
  'stores/postgres': ['@types/pg', 'pg-types', 'pg-protocol'],
};
const TOOLS = ['@types/node', 'undici-types'];

const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2022'],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  types: ['node'],
  noEmit: true,
};

/** The entries by the packages that they need. */
function groups(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const entry of runtimeEntries().keys()) {
    const needsZod = entry.endsWith('/zod') || entry.startsWith('server/');
    const packages = INSTALLED[entry] ?? (needsZod ? ZOD : []);
    const key = packages.join(' ');
    found.set(key, [...(found.get(key) ?? []), entry]);
  }
  return found;
}

let project: Project;
beforeAll(() => {
  project = newProject();
  project.install(runtimeTarball());
});
afterAll(() => project.remove());

function link(name: string): void {
  const path = join(project.folder, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), path, 'junction');
}

it('the declarations of every entry compile with skipLibCheck: false, without packages that the entry does not need', () => {
  for (const name of TOOLS) link(name);
  const linked = new Set<string>();
  // Fewest packages first, because those of one group stay for the next.
  for (const [packages, entries] of [...groups()].sort(([a], [b]) => a.length - b.length)) {
    for (const name of packages.split(' ').filter((each) => each !== '' && !linked.has(each))) {
      link(name);
      linked.add(name);
    }
    const lines = entries.map(
      (entry, index) => `export * as e${String(index)} from '@mcp-codegen/runtime/${entry}';\n`,
    );
    project.write('all.mts', lines.join(''));
    project.write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ['all.mts'] }),
    );
    const tsc = join(root, 'node_modules/typescript-7/bin/tsc');
    expect({ entries, ...project.node(tsc, '--pretty', 'false') }).toEqual({
      entries,
      code: 0,
      output: '',
    });
  }
});

it('the API of OpenTelemetry has the types by which the runtime uses it', () => {
  const typed: OpenTelemetryApi = api;
  expect(typed.ROOT_CONTEXT).toBe(api.ROOT_CONTEXT);
});
