import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The repository's root, with a slash at the end. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The package that programs import. */
export const RUNTIME = '@mcp-codegen/runtime';

/** Hand-written entries of the runtime package: subpath → source, from the repository's root. */
const WRITTEN: Readonly<Record<string, string>> = {
  admin: 'runtime/admin/index.ts',
  board: 'runtime/admin/board/index.ts',
  bundle: 'runtime/program/bundle/index.ts',
  client: 'runtime/client/index.ts',
  'client/node': 'runtime/client/node/index.ts',
  'executors/dbos': 'runtime/executors/dbos/index.ts',
  'executors/in-process': 'runtime/executors/in-process/index.ts',
  'json-schema': 'json-schema/public.ts',
  program: 'runtime/program/index.ts',
  'sdk-guest': 'runtime/server/sdk-guest/index.ts',
  server: 'runtime/server/index.ts',
  'server/jwt': 'runtime/server/auth/jwt/index.ts',
  'server/web': 'runtime/server/web.ts',
  'stores/memory': 'runtime/stores/memory/index.ts',
  'stores/postgres': 'runtime/stores/postgres/index.ts',
  'stores/sqlite': 'runtime/stores/sqlite/index.ts',
  tasks: 'runtime/tasks/public.ts',
  testing: 'runtime/testing/index.ts',
  testkit: 'runtime/testing/testkit/index.ts',
};

/** Whether the source of an entry is written by hand, so that its module is bundled. */
export const isWritten = (source: string): boolean => !source.startsWith('generated/');

/** The folder in `runtime/dist/` of the bundled entries. */
export const MODULES_FOLDER = 'modules';

/** The name of a hand-written entry's file in that folder, without its ending. */
export function moduleOf(subpath: string): string {
  return subpath.replaceAll('/', '-');
}

/** Modules of `generated/<revision>/` that are entries; `index.ts` is the revision itself. */
const MODULES = ['index', 'protocol', 'standard', 'validators', 'zod'];

/** A revision for servers without Node, by its file. */
function servedRevisions(): [subpath: string, source: string][] {
  const folder = 'runtime/server/revisions';
  return readdirSync(`${ROOT}${folder}`)
    .sort()
    .map((file) => [`server/${file.replace(/\.ts$/, '')}`, `${folder}/${file}`]);
}

/** Every entry of the runtime package: subpath → source, from the repository's root. */
export function runtimeEntries(): Map<string, string> {
  const revisions = readdirSync(`${ROOT}generated`, { withFileTypes: true })
    .filter((each) => each.isDirectory() && !each.name.startsWith('support'))
    .map(({ name }) => name)
    .sort();
  const generated = revisions.flatMap((revision) =>
    MODULES.map((module): [string, string] => [
      module === 'index' ? revision : `${revision}/${module}`,
      `generated/${revision}/${module}.ts`,
    ]),
  );
  return new Map([...generated, ...Object.entries(WRITTEN), ...servedRevisions()]);
}

/** The entries of the tool's package; its command line is not one. */
export const TOOL_ENTRIES: ReadonlyMap<string, string> = new Map([
  ['.', 'generator/index.ts'],
  ['./contracts', 'contracts/index.ts'],
  ['./lint', 'contracts/lint/index.ts'],
]);
