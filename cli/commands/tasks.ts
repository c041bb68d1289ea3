import {
  CONNECTION_OPTIONS,
  reportOf,
  STATE_OPTION,
  taskIds,
  SAVE_OPTION,
  ANSWER_OPTIONS,
} from '../calling.js';
import { defineCommand, JSON_OPTION } from '../command.js';

const ONE_TASK = {
  positionals: {
    id: { type: 'string', describe: 'Its id, or the beginning of it', demandOption: true },
  },
  valuesIn: { id: taskIds },
} as const;

export const cancelTaskCommand = defineCommand({
  examples: [['tasks cancel 1a2b', 'ask the server to cancel it']],
  ...ONE_TASK,
  options: { ...CONNECTION_OPTIONS, ...STATE_OPTION },
  run: async (args, io) =>
    await reportOf(args, io, (session, client) => client.cancelTask(session, args.id)),
});

export const getTaskCommand = defineCommand({
  examples: [['tasks get 1a2b', 'its state now']],
  ...ONE_TASK,
  options: { ...SAVE_OPTION, ...CONNECTION_OPTIONS, ...STATE_OPTION },
  run: async (args, io) =>
    await reportOf(args, io, (session, client) => client.getTask(session, args.id)),
});

export const listTasksCommand = defineCommand({
  examples: [['tasks', 'the tasks that are kept, the oldest first']],
  positionals: {},
  options: { ...STATE_OPTION, ...JSON_OPTION },
  run: async (args, io) => await reportOf(args, io, (session, client) => client.listTasks(session)),
});

export const resumeTaskCommand = defineCommand({
  examples: [['tasks resume 1a2b', 'answer its questions, and wait for its result']],
  ...ONE_TASK,
  options: { ...SAVE_OPTION, ...ANSWER_OPTIONS, ...CONNECTION_OPTIONS, ...STATE_OPTION },
  run: async (args, io) =>
    await reportOf(args, io, (session, client) => client.resumeTask(session, args.id)),
});

export const watchTaskCommand = defineCommand({
  examples: [['tasks watch 1a2b', 'its states until it ends']],
  ...ONE_TASK,
  options: { ...CONNECTION_OPTIONS, ...STATE_OPTION },
  run: async (args, io) =>
    await reportOf(args, io, (session, client) => client.watchTask(session, args.id)),
});
