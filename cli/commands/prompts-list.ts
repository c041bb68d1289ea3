import { reportOf, SERVER_COMMAND, SERVER_OPTIONS, serverNames } from '../calling.js';
import { defineCommand } from '../command.js';

export const listPromptsCommand = defineCommand({
  examples: [['prompts --server prod', 'the prompts and their arguments']],
  positionals: {},
  verbatim: SERVER_COMMAND,
  valuesIn: { server: serverNames },
  options: SERVER_OPTIONS,
  run: async (args, io) =>
    await reportOf(args, io, (session, client) => client.listPrompts(session)),
});
