import { printable } from '../../diagnostics/index.js';
import { planUpdate } from '../../project.js';
import type { Outdated } from '../../scaffold/index.js';
import { applyPlan, conflictsOf, diskFolder } from '../../write/index.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { reportPlan } from '../plan.js';

export const updateCommand = defineCommand({
  examples: [
    ['update', 'src/mcp/, as this version of mcp-codegen makes it'],
    ['update --revisions 2025-06-18', 'and speak this revision, beside those of tasks'],
    ['update --dry-run', 'show what would change'],
  ],
  positionals: {},
  options: {
    revisions: {
      type: 'string',
      requiresArg: true,
      describe: 'Revisions to speak; those it speaks now unless given',
    },
    'dry-run': { type: 'boolean', describe: 'Show per file what would be done' },
    force: { type: 'boolean', describe: 'Overwrite files that were edited' },
    ...JSON_OPTION,
  },
  run: async (args, io) => {
    const folder = diskFolder(io.cwd);
    const given = { revisions: args.revisions };
    const { plan, outdated } = await planUpdate({ folder, given, force: args.force ?? false });
    const dryRun = args.dryRun ?? false;
    if (!dryRun && conflictsOf(plan).length === 0) applyPlan(plan, folder);
    const report = reportPlan({ plan, diagnostics: [], out: '.', dryRun, data: { outdated } });
    return {
      ...report,
      text: (paint) => report.text(paint) + outdated.map(advice).join(''),
    };
  },
});

function advice({ name, wanted, found }: Outdated): string {
  const now = found === undefined ? 'does not ask for it' : `asks for ${printable(found)}`;
  return `src/mcp needs ${name} ${wanted}; package.json ${now}.\n`;
}
