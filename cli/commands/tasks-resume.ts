import {
  ANSWER_OPTIONS,
  CONNECTION_OPTIONS,
  reportOf,
  SAVE_OPTION,
  STATE_OPTION,
  taskIds,
} from '../calling.js';
import { defineCommand } from '../command.js';

export const resumeTaskCommand = defineCommand({
  examples: [['tasks resume 1a2b', 'answer its questions, and wait for its result']],
  positionals: {
    id: { type: 'string', describe: 'Its id, or the beginning of it', demandOption: true },
  },
  valuesIn: { id: taskIds },
  options: { ...SAVE_OPTION, ...ANSWER_OPTIONS, ...CONNECTION_OPTIONS, ...STATE_OPTION },
  run: async (args, io) =>
    await reportOf(args, io, (session, client) => client.resumeTask(session, args.id)),
});
