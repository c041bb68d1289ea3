import { planAddition } from '../generator/plan/project.js';
import type { Addition } from '../generator/scaffold/index.js';
import { JSON_OPTION } from './command.js';
import type { Report } from './command.js';
import type { Io } from './io.js';
import { planAndApply, reportPlan } from './plan.js';

/** The flags of `new tool`, `new resource` and `new prompt`. */
export const PART_OPTIONS = {
  'dry-run': { type: 'boolean', describe: 'Show the change of each file, and write nothing' },
  force: { type: 'boolean', describe: 'Overwrite existing files of that name' },
  ...JSON_OPTION,
} as const;

interface PartFlags {
  readonly dryRun?: boolean | undefined;
  readonly force?: boolean | undefined;
}

/** Adds a part to the server in the current folder. */
export async function addPart(
  addition: Addition,
  { dryRun = false, force = false }: PartFlags,
  io: Io,
): Promise<Report> {
  const { plan, hasTest } = await planAndApply(io.cwd, dryRun, (folder) =>
    planAddition({ addition, folder, force }),
  );
  const data = { [addition.kind]: addition.name };
  const report = reportPlan({ plan, diagnostics: [], out: '.', dryRun, data });
  return hasTest ? report : { ...report, text: (paint) => report.text(paint) + WITHOUT_TEST };
}

const WITHOUT_TEST = 'No test was added, because package.json does not have vitest.\n';
