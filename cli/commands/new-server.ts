import { SERVER } from '../../generator/scaffold/index.js';
import { newProjectCommand } from '../new-project.js';

export const newServerCommand = newProjectCommand(SERVER, [
  ['new server my-server', 'asks for the options'],
  ['new server my-server --yes', 'over stdio, tasks in an SQLite file'],
  ['new server my-server --transport http --store sqlite --auth bearer', 'for many users'],
  ['new server my-server --yes --minimal', 'one source file with one tool'],
  ['new server my-server --yes --dry-run', 'show what would be written'],
]);
