import { defineCommand } from '../command.js';
import { addPart, PART_OPTIONS } from '../new-part.js';

export const newPromptCommand = defineCommand({
  examples: [
    ['new prompt summary', 'src/prompts/summary.ts, its test, and its place in the list'],
    ['new prompt summary --dry-run', 'show what would be written'],
  ],
  positionals: {
    name: {
      type: 'string',
      demandOption: true,
      describe: 'As clients see it: letters, digits, "_", "-" and "."',
    },
  },
  options: PART_OPTIONS,
  run: async (args, io) => await addPart({ kind: 'prompt', name: args.name }, args, io),
});
