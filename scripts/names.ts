/**
 * `npm run names`: writes `runtime/protocol/index.ts`, the names and codes of all generated protocol
 * tables, so that the runtime contains none of them as literals and loads no revision for a name. With
 * `--check` it only checks whether the file is up to date (exit code 4).
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PATH = `${ROOT}runtime/protocol/index.ts`;

interface Tables {
  readonly REQUESTS: object;
  readonly NOTIFICATIONS: object;
  readonly META_KEYS: Readonly<Record<string, string>>;
  readonly ERROR_CODES: Readonly<Record<string, number>>;
  readonly EXTENSION_ID?: string;
}

const folders = readdirSync(`${ROOT}generated`).filter((folder) =>
  existsSync(`${ROOT}generated/${folder}/validators.ts`),
);
const all = await Promise.all(
  folders
    .sort()
    .map(async (folder) => (await import(`../generated/${folder}/protocol.js`)) as Tables),
);

/** `tools/call` → `toolsCall`, `notifications/tools/list_changed` → `notificationsToolsListChanged`. */
function nameOf(method: string): string {
  return method.replace(/[/_]+([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** One value for each name: a name that means two values in two protocols is an error. */
function merged(
  tables: readonly Readonly<Record<string, string | number>>[],
): readonly (readonly [string, string | number])[] {
  const found = new Map<string, string | number>();
  for (const [name, value] of tables.flatMap((table) => Object.entries(table))) {
    if ((found.get(name) ?? value) !== value) {
      throw new Error(`${name} is both ${found.get(name)} and ${value}`);
    }
    found.set(name, value);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

function constant(
  doc: string,
  name: string,
  tables: readonly Readonly<Record<string, string | number>>[],
): string {
  const entries = merged(tables).map(([key, value]) => `${key}: ${JSON.stringify(value)},`);
  return `/** ${doc} */\nexport const ${name} = {\n${entries.join('\n')}\n} as const;\n`;
}

const methods = all.map(({ REQUESTS, NOTIFICATIONS }) =>
  Object.fromEntries(
    [...Object.keys(REQUESTS), ...Object.keys(NOTIFICATIONS)].map((each) => [nameOf(each), each]),
  ),
);
const [extension] = all.flatMap(({ EXTENSION_ID = [] }) => EXTENSION_ID);
const text = [
  '// Written by `npm run names` from generated/*/protocol.ts. Do not edit.\n',
  "export * from './revisions.js';\n",
  '/** What client and server declare under `extensions` for tasks. */',
  `export const EXTENSION_ID = ${JSON.stringify(extension)};\n`,
  constant('Methods of requests and notifications.', 'METHODS', methods),
  constant(
    'Reserved keys of `_meta`.',
    'META_KEYS',
    all.map(({ META_KEYS }) => META_KEYS),
  ),
  constant(
    'Error codes of JSON-RPC and of the protocol.',
    'ERROR_CODES',
    all.map(({ ERROR_CODES }) => ERROR_CODES),
  ),
].join('\n');

const options = await resolveConfig(PATH);
const wanted = await format(text, { ...options, filepath: PATH });
const isCurrent = existsSync(PATH) && readFileSync(PATH, 'utf8') === wanted;
if (!isCurrent && process.argv.includes('--check')) {
  console.error('Out of date: runtime/protocol/index.ts. Run npm run names and read what changes.');
  process.exitCode = 4;
} else if (!isCurrent) {
  writeFileSync(PATH, wanted);
}
