import { CONNECTION_OPTIONS, reportOf, SAVE_OPTION, STATE_OPTION, taskIds } from '../calling.js';
import { defineCommand } from '../command.js';

export const getTaskCommand = defineCommand({
  examples: [['tasks get 1a2b', 'its state now']],
  positionals: {
    id: { type: 'string', describe: 'Its id, or the beginning of it', demandOption: true },
  },
  valuesIn: { id: taskIds },
  options: { ...SAVE_OPTION, ...CONNECTION_OPTIONS, ...STATE_OPTION },
  run: async (args, io) =>
    await reportOf(args, io, (session, client) => client.getTask(session, args.id)),
});
