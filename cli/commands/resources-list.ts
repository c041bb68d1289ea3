import { reportOf, SERVER_COMMAND, SERVER_OPTIONS, serverNames } from '../calling.js';
import { defineCommand } from '../command.js';

export const listResourcesCommand = defineCommand({
  examples: [['resources --server prod', 'the resources and templates']],
  positionals: {},
  verbatim: SERVER_COMMAND,
  valuesIn: { server: serverNames },
  options: SERVER_OPTIONS,
  run: async (args, io) =>
    await reportOf(args, io, (session, client) => client.listResources(session)),
});
