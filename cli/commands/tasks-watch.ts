import { CONNECTION_OPTIONS, reportOf, STATE_OPTION, taskIds } from '../calling.js';
import { defineCommand } from '../command.js';

export const watchTaskCommand = defineCommand({
  examples: [['tasks watch 1a2b', 'its states until it ends']],
  positionals: {
    id: { type: 'string', describe: 'Its id, or the beginning of it', demandOption: true },
  },
  valuesIn: { id: taskIds },
  options: { ...CONNECTION_OPTIONS, ...STATE_OPTION },
  run: async (args, io) =>
    await reportOf(args, io, (session, client) => client.watchTask(session, args.id)),
});
