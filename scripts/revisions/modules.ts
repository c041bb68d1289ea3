import { extendedBy, spokenIn } from './table.js';
import type { RevisionEntry, RevisionTable } from './table.js';

const HEAD = '// Written by `npm run revisions` from schema/revisions.json. Do not edit.\n';

/** A file, by its path from the repository's root, and how its text follows from the table and the text before. */
type Written = readonly [path: string, text: (table: RevisionTable, before: string) => string];

/** Every file that `npm run revisions` writes. */
export function writtenFor(table: RevisionTable): readonly Written[] {
  const served = spokenIn(table).map(([name, { dialect }]): Written => [
    `runtime/server/revisions/${name}.ts`,
    () => servedRevision(name, dialect),
  ]);
  return [...WRITTEN, ...served];
}

const WRITTEN: readonly Written[] = [
  ['generator/ir/revisions/table.ts', generatorTable],
  ['contracts/protocols/modules.ts', protocolModules],
  ['runtime/peer/wire/revision-tables.ts', messageTables],
  ['runtime/revisions.ts', runtimeTable],
  ['runtime/peer/wire/revision-modules.ts', revisionModules],
  ['schema/mcp-codegen.schema.json', withEnum],
  ['templates/server/src/server.ts', withList],
  ['templates/server/src/main.minimal.ts', withList],
];

function constant(doc: string, name: string, value: unknown): string {
  return `/** ${doc} */\nexport const ${name} = ${JSON.stringify(value)} as const;\n`;
}

function generatorTable(table: RevisionTable): string {
  const extensions = Object.entries(table.revisions).filter(([, entry]) => entry.extends);
  return [
    HEAD,
    constant(
      'The bundled schemas, oldest first; extensions last.',
      'REVISIONS',
      Object.keys(table.revisions),
    ),
    'export type Revision = (typeof REVISIONS)[number];\n',
    constant('The newest revision.', 'LATEST', table.latest),
    constant('The revision of a command that names none.', 'DEFAULT_REVISION', table.default),
    constant(
      "The revision that defines each dialect's tasks.",
      'DIALECT_REVISIONS',
      table.dialects,
    ),
    constant(
      'The revisions that servers and clients speak, oldest first.',
      'SPOKEN',
      Object.fromEntries(spokenIn(table)),
    ),
    constant(
      'The revisions that each extension may be used with, oldest first.',
      'EXTENDED',
      Object.fromEntries(extensions.map(([name, entry]) => [name, extendedBy(table, entry)])),
    ),
  ].join('\n');
}

function runtimeTable(table: RevisionTable): string {
  const newestFirst = spokenIn(table).reverse();
  return [
    HEAD,
    constant(
      'The revision in which the messages of each dialect are written.',
      'DIALECT_VERSIONS',
      table.dialects,
    ),
    constant(
      'The revisions that servers and clients speak, newest first. `tasks`: their own messages include tasks. `batches`: several messages may come in a list.',
      'REVISIONS',
      Object.fromEntries(
        newestFirst.map(([name, { dialect, tasks = false, batches = false }]) => [
          name,
          { dialect, tasks, batches },
        ]),
      ),
    ),
    '/** A revision that servers and clients speak. */\nexport type RevisionVersion = keyof typeof REVISIONS;\n',
    constant(
      'Their names, for `supportedProtocolVersions` of a client.',
      'PROTOCOL_VERSIONS',
      newestFirst.map(([name]) => name),
    ),
  ].join('\n');
}

/** `import()` takes literals only, so that bundlers find the modules. */
function revisionModules(table: RevisionTable): string {
  const load = (name: string, file: string): string =>
    `${file}: () => import('../../../generated/${name}/${file}.js')`;
  const rows = spokenIn(table)
    .reverse()
    .map(([name]) => `'${name}': { ${load(name, 'validators')}, ${load(name, 'protocol')} },`);
  const type = 'Record<RevisionVersion, Record<string, () => Promise<object>>>';
  return [
    HEAD,
    "import type { RevisionVersion } from '../../protocol.js';\n",
    '/** The validators and the tables of each revision, loaded when they are needed. */',
    `export const MODULES = {\n${rows.join('\n')}\n} as const satisfies ${type};\n`,
  ].join('\n');
}

/** Types only: the tables of a revision are loaded when a connection speaks it. */
function messageTables(table: RevisionTable): string {
  const extensions = Object.entries(table.revisions).filter(([, entry]) => entry.extends);
  const names = [...spokenIn(table), ...extensions].map(([name]) => name);
  const alias = (name: string, map: string): string => `${map}_${name.replaceAll('-', '_')}`;
  function rows(map: string): string {
    const each = spokenIn(table).map(([name]) => {
      const added = extensions.filter(([, entry]) => extendedBy(table, entry).includes(name));
      const parts = [name, ...added.map(([extension]) => extension)];
      return `'${name}': ${parts.map((part) => alias(part, map)).join(' & ')};`;
    });
    return each.join('\n');
  }
  return [
    HEAD,
    ...names.map((name) => {
      const maps = ['FeatureMap', 'NotificationMap', 'RequestMap'].map(
        (map) => `${map} as ${alias(name, map)}`,
      );
      return `import type { ${maps.join(', ')} } from '../../../generated/${name}/protocol.js';`;
    }),
    '\n/** The requests of each revision, with those of the extensions that it may be used with. */',
    `export interface RequestMaps {\n${rows('RequestMap')}\n}\n`,
    '/** The methods that each side of it serves, by the capability that it declares for them. */',
    `export interface FeatureMaps {\n${rows('FeatureMap')}\n}\n`,
    '/** Its notifications, with theirs. */',
    `export interface NotificationMaps {\n${rows('NotificationMap')}\n}\n`,
  ].join('\n');
}

/** Named imports, so that bundlers leave out what servers do not call. */
function servedRevision(name: string, dialect: RevisionEntry['dialect']): string {
  const maker = dialect === 'core' ? 'coreRevision' : 'extRevision';
  const validators = [
    'validateCallToolResult',
    ...(dialect === 'core' ? [] : ['validateInputRequest']),
    'validateMessage',
    'validateResultOf',
  ].join(', ');
  return [
    HEAD,
    `import { NOTIFICATIONS, REQUESTS } from '../../../generated/${name}/protocol.js';`,
    `import { ${validators} } from '../../../generated/${name}/validators.js';`,
    `import { ${maker} } from '../served-${String(dialect)}.js';`,
    "import type { ServedRevision } from '../platform.js';\n",
    `/** Revision ${name}, for the \`revisions\` of a server without Node. */`,
    `export const revision${name.replaceAll('-', '')}: ServedRevision = /* @__PURE__ */ ${maker}('${name}', {`,
    `validators: { ${validators} },`,
    'tables: { NOTIFICATIONS, REQUESTS } });\n',
  ].join('\n');
}

function protocolModules(table: RevisionTable): string {
  const alias = (name: string): string => `tables_${name.replaceAll('-', '_')}`;
  const names = Object.keys(table.revisions);
  const rows = (chosen: readonly string[]): string =>
    chosen
      .map((name) => {
        const load = `() => import('../../generated/${name}/validators.js')`;
        return `'${name}': { tables: ${alias(name)}, load: ${load} },`;
      })
      .join('\n');
  const spoken = spokenIn(table).map(([name]) => name);
  const extensions = names.filter((name) => table.revisions[name]?.extends);
  return [
    HEAD,
    ...names.map(
      (name) => `import * as ${alias(name)} from '../../generated/${name}/protocol.js';`,
    ),
    '\n/** The generated modules of each revision, oldest first. Validators are loaded when they are needed. */',
    `export const REVISION_MODULES = {\n${rows(spoken)}\n} as const;\n`,
    '/** Those of each extension. */',
    `export const EXTENSION_MODULES = {\n${rows(extensions)}\n} as const;\n`,
  ].join('\n');
}

const LIST = /(\n *revisions: \[).*?(\],\n)/s;

/** A template with its list of revisions, newest first. */
function withList(table: RevisionTable, before: string): string {
  if (!LIST.test(before)) throw new Error('The template has no list `revisions` any more.');
  const rows = spokenIn(table)
    .reverse()
    .map(([name]) => `'${name}'`);
  return before.replace(LIST, (_, open: string, close: string) => open + rows.join(', ') + close);
}

const ENUM = /("revisions": \{.*?"enum": )\[[^\]]*\]/s;

/** The JSON Schema of the configuration, with its choice of revisions. */
function withEnum({ revisions }: RevisionTable, before: string): string {
  if (!ENUM.test(before)) throw new Error('The schema has no choice of revisions any more.');
  const names = JSON.stringify(Object.keys(revisions));
  return before.replace(ENUM, (_, open: string) => open + names);
}
