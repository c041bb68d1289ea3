import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { printable } from '../../json-schema/text.js';
import { DEFAULT_LIMITS } from '../../generator/read/load/limits.js';
import { packageRoot, readIfPresent } from '../../generator/read/load/source.js';
import { isPageOf } from '../../pages/index.js';
import { applyPlan, conflictsOf, diskFolder, planFiles } from '../../generator/write/index.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { UsageError } from '../exit.js';
import { openFile } from '../open.js';
import { reportPlan } from '../plan.js';

const DEFAULT_FILE = 'mcp-playground.html';

/** Written by the build, because the engine of the page is a bundle. */
const BUILT = 'dist/playground.html';

export const playgroundCommand = defineCommand({
  examples: [
    ['playground --open', 'a page to paste messages and schemas into'],
    ['playground --out public/playground.html', 'to a file of your choice'],
  ],
  positionals: {},
  options: {
    out: {
      type: 'string',
      requiresArg: true,
      describe: `The page's file (default: ${DEFAULT_FILE})`,
    },
    open: { type: 'boolean', describe: 'Open the page in the browser' },
    force: { type: 'boolean', describe: 'Overwrite a file that is not such a page' },
    ...JSON_OPTION,
  },
  run: async (args, io) => {
    const shown = args.out ?? DEFAULT_FILE;
    const path = resolve(io.cwd, shown);
    const folder = diskFolder(dirname(path));
    const force = args.force === true || isPage(path);
    const plan = planFiles(folder, [{ path: basename(path), text: builtPage() }], { force });
    const written = conflictsOf(plan).length === 0;
    if (written) applyPlan(plan, folder);
    if (written && args.open && !(await openFile(path, platform()))) {
      io.err.write(`Cannot start a browser. Open ${printable(path)} yourself.\n`);
    }
    return reportPlan({
      plan,
      diagnostics: [],
      out: dirname(shown),
      dryRun: false,
      data: { page: shown },
    });
  },
});

/** @throws {UsageError} in a clone that was not built */
function builtPage(): string {
  const built = readIfPresent(join(packageRoot(), BUILT), DEFAULT_LIMITS);
  if (built) return built.text;
  throw new UsageError(
    'The page is not built.',
    'Run "npm run build" in the clone of mcp-codegen.',
  );
}

/** Whether a file is a page of this command, which may be replaced. */
function isPage(path: string): boolean {
  try {
    return isPageOf('playground', readFileSync(path, 'utf8'));
  } catch {
    return false;
  }
}
