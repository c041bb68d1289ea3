import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { platform } from 'node:os';
import { printable, quote } from '../../json-schema/text.js';
import type { Diagnostic } from '../../generator/diagnostics/index.js';
import { significant } from '../../generator/diff/index.js';
import type { ProtocolDiff } from '../../generator/diff/index.js';
import { metamodelOf } from '../../generator/emit/index.js';

import {
  DEFAULT_LIMITS,
  isRevision,
  readRefs,
  REVISIONS,
} from '../../generator/read/load/index.js';
import type { LoadOptions } from '../../generator/read/load/index.js';
import { explorePage, isPageOf } from '../../pages/index.js';
import { readProtocol } from '../../generator/protocol/protocol.js';
import type { ReadProtocol } from '../../generator/protocol/protocol.js';
import { applyPlan, conflictsOf, diskFolder, planFiles } from '../../generator/write/index.js';
import { DEFAULT_REVISION, DIALECT_REVISIONS } from '../../generator/ir/revisions/index.js';
import { readAssets } from '../assets.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { differencesOf } from '../differences.js';
import { UsageError } from '../exit.js';
import { openFile } from '../open.js';
import { reportPlan } from '../plan.js';
import { parseRefs, REF_OPTION } from '../refs.js';

const { core: CORE, ext: EXT } = DIALECT_REVISIONS;
const text = { type: 'string', requiresArg: true } as const;

export const exploreCommand = defineCommand({
  examples: [
    [`explore ${EXT} --open`, 'a revision, in the browser'],
    [`explore --diff ${CORE}..${EXT}`, 'with what changed, breaking changes first'],
    ['explore --schema ./extension.json --out extension.html', 'a schema of your own'],
  ],
  values: { revision: REVISIONS },
  positionals: {
    revision: { choices: REVISIONS, describe: `Revision (default: ${DEFAULT_REVISION})` },
  },
  options: {
    schema: { ...text, describe: 'A schema of your own: a file or a URL' },
    ...REF_OPTION,
    diff: { ...text, describe: 'What changed: <before>..<after>, each a revision, file or URL' },
    out: { ...text, describe: "The page's file (default: mcp-<name>.html)" },
    open: { type: 'boolean', describe: 'Open the page in the browser' },
    force: { type: 'boolean', describe: 'Overwrite a file that is not such a page' },
    ...JSON_OPTION,
  },
  run: async (args, io) => {
    const refs = readRefs(parseRefs(args.ref), DEFAULT_LIMITS, io.cwd);
    const [before, subject] = subjectsOf(args);
    const after = await readProtocol(subject, { refs, cwd: io.cwd });
    const diff =
      before === undefined
        ? undefined
        : await changesBetween(before, { ...after, subject }, { refs, cwd: io.cwd });
    const revisions = await Promise.all(REVISIONS.map((revision) => readProtocol(revision)));
    const page = explorePage(
      {
        model: metamodelOf(after.protocol),
        revisions: revisions.map(({ protocol }) => metamodelOf(protocol)),
        ...(diff && { diff }),
      },
      readAssets('explore'),
    );
    const shown = args.out ?? `mcp-${after.protocol.name}.html`;
    const path = resolve(io.cwd, shown);
    const folder = diskFolder(dirname(path));
    const force = args.force === true || isPage(path);
    const plan = planFiles(folder, [{ path: basename(path), text: page }], { force });
    const written = conflictsOf(plan).length === 0;
    if (written) applyPlan(plan, folder);
    const diagnostics: Diagnostic[] = [...after.diagnostics];
    if (written && args.open && !(await openFile(path, platform()))) {
      io.err.write(`Cannot start a browser. Open ${printable(path)} yourself.\n`);
    }
    const out = dirname(shown);
    return reportPlan({ plan, diagnostics, out, dryRun: false, data: { page: shown } });
  },
});

interface Chosen {
  readonly revision: string | undefined;
  readonly schema: string | undefined;
  readonly diff: string | undefined;
}

/** What to compare with, if anything, and what the page shows. @throws {UsageError} */
function subjectsOf({ revision, schema, diff }: Chosen): [string | undefined, string] {
  const named = Object.entries({ revision, '--schema': schema, '--diff': diff }).filter(
    ([, value]) => value !== undefined,
  );
  if (named.length > 1) {
    throw new UsageError(
      `A page shows one schema, but ${named.map(([name]) => name).join(' and ')} name several.`,
      'Give one of a revision, --schema and --diff.',
    );
  }
  if (diff === undefined) return [undefined, schema ?? revision ?? DEFAULT_REVISION];
  return sidesOf(diff);
}

/** `2025-11-25..2026-07-28`; paths may contain `..` too, so a side that begins or ends with a dot is none. */
function sidesOf(written: string): [string, string] {
  const sides = [...written.matchAll(/\.\./g)].flatMap(({ index }): [string, string][] => {
    const [before, after] = [written.slice(0, index), written.slice(index + 2)];
    const plausible = [before, after].every(
      (side) => isRevision(side) || /[^./\\][./\\]/.test(side),
    );
    return plausible && !/[./\\]$/.test(before) ? [[before, after]] : [];
  });
  const [first, ...others] = sides;
  if (first && others.length === 0) return first;
  throw new UsageError(
    `--diff needs two revisions or files, not ${quote(written)}.`,
    `For example: --diff ${CORE}..${EXT}`,
  );
}

async function changesBetween(
  before: string,
  after: ReadProtocol & { readonly subject: string },
  options: LoadOptions,
): Promise<ProtocolDiff> {
  const read = await readProtocol(before, options);
  return significant(differencesOf({ ...read, subject: before }, after)).diff;
}

/** Whether a file is a page of this command, which may be replaced. */
function isPage(path: string): boolean {
  try {
    return isPageOf('explore', readFileSync(path, 'utf8'));
  } catch {
    return false;
  }
}
