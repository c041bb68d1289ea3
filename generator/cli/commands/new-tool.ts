import { planTool } from '../../project.js';
import { applyPlan, conflictsOf, diskFolder } from '../../write/index.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { reportPlan } from '../plan.js';

export const newToolCommand = defineCommand({
  examples: [
    ['new tool look_up', 'src/tools/look-up.ts, its test, and its place in the list'],
    ['new tool book-table --task --ask', 'a tool that may run as a task, and asks the user'],
    ['new tool look-up --dry-run', 'show what would be written'],
  ],
  positionals: {
    name: {
      type: 'string',
      demandOption: true,
      describe: 'As clients call it: letters, digits, "_", "-" and "."',
    },
  },
  options: {
    task: { type: 'boolean', describe: 'The tool may run as a task' },
    ask: { type: 'boolean', describe: 'The tool asks the user for input' },
    progress: { type: 'boolean', describe: 'The tool reports its progress' },
    'dry-run': { type: 'boolean', describe: 'Show the change of each file, and write nothing' },
    force: { type: 'boolean', describe: 'Overwrite an existing tool' },
    ...JSON_OPTION,
  },
  run: async (args, io) => {
    const folder = diskFolder(io.cwd);
    const plan = await planTool({
      name: args.name,
      folder,
      force: args.force ?? false,
      task: args.task ?? false,
      ask: args.ask ?? false,
      progress: args.progress ?? false,
    });
    const dryRun = args.dryRun ?? false;
    if (!dryRun && conflictsOf(plan).length === 0) applyPlan(plan, folder);
    return reportPlan({ plan, diagnostics: [], out: '.', dryRun, data: { tool: args.name } });
  },
});
