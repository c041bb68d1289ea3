import { CLIENT } from '../../generator/scaffold/index.js';
import { newProjectCommand } from '../new-project.js';

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
