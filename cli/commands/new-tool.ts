import { defineCommand } from '../command.js';
import { addPart, PART_OPTIONS } from '../new-part.js';

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
    ...PART_OPTIONS,
  },
  run: async (args, io) => {
    const { name, task = false, ask = false, progress = false } = args;
    return await addPart({ kind: 'tool', name, traits: { task, ask, progress } }, args, io);
  },
});
