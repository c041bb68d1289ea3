import { reportOf, STATE_OPTION } from '../calling.js';
import { defineCommand, JSON_OPTION } from '../command.js';

export const listTasksCommand = defineCommand({
  examples: [['tasks', 'the tasks that are kept, the oldest first']],
  positionals: {},
  options: { ...STATE_OPTION, ...JSON_OPTION },
  run: async (args, io) => await reportOf(args, io, (session, client) => client.listTasks(session)),
});
