import { reportOf, savedNames } from '../calling.js';
import { defineCommand, JSON_OPTION } from '../command.js';

export const removeServerCommand = defineCommand({
  examples: [['servers remove prod', 'forget it']],
  positionals: {
    name: { type: 'string', describe: 'The name of a saved server', demandOption: true },
  },
  valuesIn: { name: savedNames },
  options: JSON_OPTION,
  run: async ({ name }, io) =>
    await reportOf({}, io, (session, client) => client.removeServer(session, name)),
});
