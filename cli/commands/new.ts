import { SERVER, CLIENT } from '../../generator/scaffold/index.js';
import { newProjectCommand } from '../new-project.js';
import { defineCommand } from '../command.js';
import { addPart, PART_OPTIONS } from '../new-part.js';

export const newServerCommand = newProjectCommand(SERVER, [
  ['new server my-server', 'asks for the options'],
  ['new server my-server --yes', 'over stdio, tasks in an SQLite file'],
  ['new server my-server --transport http --store sqlite --auth bearer', 'for many users'],
  ['new server my-server --yes --minimal', 'one source file with one tool'],
  ['new server my-server --yes --dry-run', 'show what would be written'],
]);

export const newClientCommand = newProjectCommand(CLIENT, [
  ['new client my-client', 'asks for the options'],
  ['new client my-client --yes --install', 'takes the defaults, and installs the packages'],
  [
    'new client my-client --yes --capabilities sampling,tasks-extension',
    'declare sampling and the tasks extension, and nothing else',
  ],
  ['new client my-client --yes --minimal', 'one file, which answers no questions'],
  ['new client my-client --yes --dry-run', 'show what would be written'],
]);

const NAME = {
  name: {
    type: 'string',
    demandOption: true,
    describe: 'As clients see it: letters, digits, "_", "-" and "."',
  },
} as const;

export const newPromptCommand = defineCommand({
  examples: [
    ['new prompt summary', 'src/prompts/summary.ts, its test, and its place in the list'],
    ['new prompt summary --dry-run', 'show what would be written'],
  ],
  positionals: NAME,
  options: PART_OPTIONS,
  run: async (args, io) => await addPart({ kind: 'prompt', name: args.name }, args, io),
});

export const newResourceCommand = defineCommand({
  examples: [
    ['new resource stock', 'src/resources/stock.ts, its test, and its place in the list'],
    ['new resource stock --dry-run', 'show what would be written'],
  ],
  positionals: NAME,
  options: PART_OPTIONS,
  run: async (args, io) => await addPart({ kind: 'resource', name: args.name }, args, io),
});

export const newToolCommand = defineCommand({
  examples: [
    ['new tool look_up', 'src/tools/look-up.ts, its test, and its place in the list'],
    ['new tool book-table --task --ask', 'a tool that may run as a task, and asks the user'],
    ['new tool look-up --dry-run', 'show what would be written'],
  ],
  positionals: NAME,
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
