import { CONNECTION_OPTIONS, reportOf, STATE_OPTION, taskIds } from '../calling.js';
import { defineCommand } from '../command.js';

export const cancelTaskCommand = defineCommand({
  examples: [['tasks cancel 1a2b', 'ask the server to cancel it']],
  positionals: {
    id: { type: 'string', describe: 'Its id, or the beginning of it', demandOption: true },
  },
  valuesIn: { id: taskIds },
  options: { ...CONNECTION_OPTIONS, ...STATE_OPTION },
  run: async (args, io) =>
    await reportOf(args, io, (session, client) => client.cancelTask(session, args.id)),
});
