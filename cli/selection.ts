import { dirname, join, relative, resolve } from 'node:path';
import type { ArgumentsCamelCase, InferredOptionTypes } from 'yargs';
import { CONFIG_FILE, DEFAULT_CONFIG } from './config/index.js';
import type { Config } from './config/index.js';
import { DRAFTS, REF_SIBLINGS } from '../json-schema/draft.js';
import { nearest } from '../json-schema/nearest.js';
import { jsonPointer } from '../json-schema/pointer.js';
import { quote } from '../json-schema/text.js';
import { EMITS } from '../generator/emit/index.js';
import type { Emit } from '../generator/emit/index.js';
import {
  ANY_URI,
  dataFilesBelow,
  isUrl,
  REVISIONS,
  shownLocation,
  withoutPointer,
} from '../generator/read/load/index.js';
import { isProtocolName, PROTOCOL_NAME_HELP } from '../generator/plan/job.js';
import type { ProtocolInput, SchemaInput } from '../generator/plan/generate.js';
import type { OptionTable, PositionalTable } from './command.js';
import { configuredLocks, readConfigFile } from './config-file.js';
import type { ConfiguredLock } from './config-file.js';
import { UsageError } from './exit.js';
import { insideProject } from './inside.js';
import type { Project } from './project-trust.js';
import { contentsOf, refsOf, slashed, withRecord } from './recorded-inputs.js';
import type { Contents } from './recorded-inputs.js';
import { parseRefs, REF_OPTION } from './refs.js';
import { configuredTools } from './tools-selection.js';
import { WatchedFiles } from './watch.js';
import { MANIFEST_FILE } from '../generator/write/index.js';

/** The inputs and settings of `generate` and `check`. */
export interface Selection extends Contents {
  readonly emits: readonly Emit[];
  readonly errata: boolean;
  readonly strict: boolean;
  /** The output folder: as an absolute path, and for messages. */
  readonly out: string;
  readonly shownOut: string;
  /** Whether to delete what the same configuration generated from other inputs. */
  readonly prune: boolean;
  /** The locks of the configuration, and its folder. */
  readonly locks: readonly ConfiguredLock[];
  /** The configuration, relative to the output folder, if it decides what is generated. */
  readonly config?: string;
  /** What a file of the project names, if the command line does not name the inputs. */
  readonly project?: Project;
}

export const SELECTION_POSITIONALS = {
  revisions: {
    type: 'string',
    array: true,
    choices: REVISIONS,
    describe: `Revisions (default: as in ${CONFIG_FILE}, else what --out contains, else all)`,
  },
} as const satisfies PositionalTable;

const text = { type: 'string', requiresArg: true } as const;

/** What `--strict` is for, where schemas are read. */
export const STRICT = 'End with 3 when a schema has a fault';

/** The options of both `generate` and `check`. */
export const SELECTION_OPTIONS = {
  schema: { ...text, describe: 'A schema to generate from: a file or a URL' },
  ...REF_OPTION,
  draft: {
    choices: DRAFTS,
    requiresArg: true,
    describe:
      'What a --schema without $schema is read as (default: 2020-12 with $defs, else draft-07)',
  },
  'ref-siblings': {
    choices: REF_SIBLINGS,
    requiresArg: true,
    describe: 'What to do with keywords beside a $ref up to draft-07 (default: ignore)',
  },
  name: {
    ...text,
    describe: "The version and folder of --schema (default: its own version, and the file's name)",
  },
  out: { ...text, describe: 'The output folder (default: as in mcp-codegen.json, else generated)' },
  emit: {
    ...text,
    describe: `The files to emit: any of ${EMITS.join(',')} (default: all but standard,metamodel)`,
  },
  strict: { type: 'boolean', describe: STRICT },
  'no-errata': { type: 'boolean', describe: 'Do not correct the schemas' },
  config: { ...text, describe: `The configuration file (default: ./${CONFIG_FILE})` },
} as const satisfies OptionTable;

type SelectionArguments = ArgumentsCamelCase<
  InferredOptionTypes<typeof SELECTION_OPTIONS> & InferredOptionTypes<typeof SELECTION_POSITIONALS>
>;

/**
 * Combines the command line with the project's configuration. The configuration, and schemas that are files
 * or in folders, are watched from now on.
 *
 * @throws {UsageError}
 * @throws {DiagnosticError} `bad-config`, or `not-found` for a missing `--config`.
 */
export function select(
  args: SelectionArguments,
  cwd: string,
  watched = new WatchedFiles(),
): Selection {
  const path = resolve(cwd, args.config ?? CONFIG_FILE);
  watched.add(path);
  const config = readConfigFile(path, args.config, cwd);
  const settings = config ?? DEFAULT_CONFIG;
  const folder = config === undefined ? cwd : dirname(path);
  const source = relative(cwd, path);
  const out =
    args.out === undefined
      ? insideProject(folder, { path: settings.out, source, pointer: '/out' })
      : resolve(cwd, args.out);
  const emits = args.emit === undefined ? undefined : parseEmits(args.emit);
  const errata = args.noErrata ? false : undefined;
  const named = namedInputs(args);
  const decides = config !== undefined && named.length === 0;
  const found = config === undefined ? [contentsOf(out, cwd, { emits, errata })] : [];
  const chosen = [{ inputs: named, tools: [] }, ...found].find(
    ({ inputs, tools }) => inputs.length + tools.length > 0,
  );
  const { inputs, tools } = chosen ?? contentsIn(settings, { folder, source, cwd });
  const locks = decides ? configuredLocks(config, { folder, source }) : [];
  const file = config === undefined ? relative(cwd, join(out, MANIFEST_FILE)) : source;
  const schemas = inputs.flatMap((input) => ('location' in input ? [input] : []));
  watched.add(...schemas.flatMap(filesOf).map((file) => resolve(cwd, file)));
  watched.add(...tools.flatMap(({ from }) => ('file' in from ? from.file : [])));
  for (const folder of schemas.flatMap(foldersOf)) {
    watched.addFolder(resolve(cwd, folder), dataFilesBelow);
  }
  return {
    inputs: inputs.map((input) => withRecord(input, out, cwd)),
    tools,
    emits: emits ?? settings.emit,
    errata: errata ?? settings.errata,
    strict: args.strict ?? false,
    out,
    shownOut: relative(cwd, out) || '.',
    prune: decides,
    locks,
    ...(named.length === 0 && { project: { file, folder, inputs, tools, locks } }),
    ...(decides && { config: slashed(relative(out, path)) }),
  };
}

/** The files that a schema is read from, without those of folders. */
function filesOf({ location, refs = [] }: SchemaInput): string[] {
  const named = refs.filter(({ uri }) => uri !== ANY_URI).map(({ file }) => file);
  return [...(isUrl(location) ? [] : [withoutPointer(location)]), ...named];
}

function foldersOf({ refs = [] }: SchemaInput): string[] {
  return refs.filter(({ uri }) => uri === ANY_URI).map(({ file }) => file);
}

/** The arguments that select the same again. */
export function selectionArguments(args: SelectionArguments): string[] {
  const {
    revisions = [],
    schema,
    ref = [],
    name,
    draft,
    refSiblings,
    out,
    emit,
    noErrata,
    strict,
    config,
  } = args;
  const shown = schema === undefined ? undefined : shownLocation(schema);
  const valued = { schema: shown, name, draft, 'ref-siblings': refSiblings, out, emit, config };
  return [
    ...revisions,
    ...Object.entries(valued).flatMap(([flag, value]) =>
      value === undefined ? [] : [`--${flag}`, value],
    ),
    ...ref.flatMap((each) => ['--ref', each]),
    ...(noErrata ? ['--no-errata'] : []),
    ...(strict ? ['--strict'] : []),
  ];
}

function namedInputs({
  revisions = [],
  schema,
  ref,
  name,
  draft,
  refSiblings,
}: SelectionArguments): ProtocolInput[] {
  const bundled = [...new Set(revisions)].map((revision) => ({ revision }));
  if (schema === undefined) {
    if (name !== undefined) {
      throw new UsageError(
        '--name needs --schema.',
        'Add --schema <file-or-url>, or remove --name.',
      );
    }
    if (ref !== undefined) {
      throw new UsageError(
        '--ref needs --schema.',
        `Add --schema <file-or-url>, or write "refs" beside the "source" in ${CONFIG_FILE}.`,
      );
    }
    if (draft !== undefined) {
      throw new UsageError(
        '--draft needs --schema.',
        'Add --schema <file-or-url>, or remove --draft.',
      );
    }
    if (refSiblings !== undefined) {
      throw new UsageError(
        '--ref-siblings needs --schema.',
        'Add --schema <file-or-url>, or remove --ref-siblings.',
      );
    }
    return bundled;
  }
  if (name !== undefined && !isProtocolName(name)) {
    throw new UsageError(`Invalid folder name ${quote(name)} for --name.`, PROTOCOL_NAME_HELP);
  }
  const refs = parseRefs(ref);
  const chosen = {
    ...(name !== undefined && { name }),
    ...(draft !== undefined && { draft }),
    ...(refSiblings !== undefined && { refSiblings }),
  };
  return [...bundled, { location: schema, refs, ...chosen }];
}

/** What a configuration names. @throws {DiagnosticError} `bad-config` for a document outside its folder. */
export function contentsIn(
  { revisions, schemas, tools = [] }: Config,
  { folder, source: file, cwd }: { folder: string; source: string; cwd: string },
): Contents {
  for (const [at, { refs = {} }] of schemas.entries()) {
    for (const [uri, path] of Object.entries(refs)) {
      const pointer = jsonPointer(['schemas', at, 'refs', uri]);
      insideProject(folder, { path, source: file, pointer });
    }
  }
  const inputs = [
    ...revisions.map((revision) => ({ revision })),
    ...schemas.map(({ name, source, refs, draft, refSiblings }) => ({
      name,
      ...(draft && { draft }),
      ...(refSiblings && { refSiblings }),
      location: isUrl(source) ? source : relative(cwd, resolve(folder, source)),
      refs: refsOf(refs, folder, cwd),
    })),
  ];
  return { inputs, tools: tools.map((entry) => configuredTools(entry, folder)) };
}

function parseEmits(written: string): Emit[] {
  return written.split(',').map((word) => {
    const emit = EMITS.find((known) => known === word.trim());
    if (emit) return emit;
    const meant = nearest(word, EMITS);
    throw new UsageError(
      `Unknown value ${quote(word)} for --emit.`,
      meant ? `Did you mean ${meant}?` : `Known: ${EMITS.join(', ')}.`,
    );
  });
}
