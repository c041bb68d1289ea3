import { defineCommand } from '../command.js';
import { addPart, PART_OPTIONS } from '../new-part.js';

export const newResourceCommand = defineCommand({
  examples: [
    ['new resource stock', 'src/resources/stock.ts, its test, and its place in the list'],
    ['new resource stock --dry-run', 'show what would be written'],
  ],
  positionals: {
    name: {
      type: 'string',
      demandOption: true,
      describe: 'As clients see it: letters, digits, "_", "-" and "."',
    },
  },
  options: PART_OPTIONS,
  run: async (args, io) => await addPart({ kind: 'resource', name: args.name }, args, io),
});
