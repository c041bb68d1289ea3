import { printable } from '../../diagnostics/index.js';
import { planUpdate } from '../../project.js';
import { RUNTIME } from '../../scaffold/index.js';
import type { Outdated } from '../../scaffold/index.js';
import { applyPlan, conflictsOf, diskFolder } from '../../write/index.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { reportPlan } from '../plan.js';
import { checkRuntime } from '../runtime-option.js';

export const updateCommand = defineCommand({
  examples: [
    ['update', `use the ${RUNTIME} that comes with this version of mcp-codegen`],
    ["update --runtime '^1.0.0'", 'use a version from the registry'],
    ['update --dry-run', 'show what would change'],
  ],
  positionals: {},
  options: {
    runtime: {
      type: 'string',
      requiresArg: true,
      describe: `Versions of ${RUNTIME} on the registry, its path or URL (default: the one of this mcp-codegen)`,
    },
    'dry-run': { type: 'boolean', describe: 'Show the change of each file, and write nothing' },
    ...JSON_OPTION,
  },
  run: async (args, io) => {
    checkRuntime(args.runtime);
    const folder = diskFolder(io.cwd);
    const { plan, outdated, changes, dockerfileCopiesVendor } = planUpdate({
      folder,
      runtime: args.runtime,
    });
    const dryRun = args.dryRun ?? false;
    if (!dryRun && conflictsOf(plan).length === 0) applyPlan(plan, folder);
    const data = { outdated, changes };
    const report = reportPlan({ plan, diagnostics: [], out: '.', dryRun, data });
    return Promise.resolve({
      ...report,
      text: (paint) =>
        [
          report.text(paint),
          ...outdated.map(advice),
          ...(dockerfileCopiesVendor ? [DOCKERFILE_ADVICE] : []),
          ...(changes ? [`\nWhat changed:\n\n${printable(changes)}\n`] : []),
        ].join(''),
    });
  },
});

const DOCKERFILE_ADVICE =
  'Dockerfile copies vendor/, which no longer exists: delete its line "COPY vendor ./vendor".\n';

function advice({ name, wanted, found }: Outdated): string {
  return `${RUNTIME} needs ${name} ${wanted}, but package.json has ${printable(found)}: change it.\n`;
}
