import { reportOf } from '../calling.js';
import { defineCommand, JSON_OPTION } from '../command.js';

export const listServersCommand = defineCommand({
  examples: [['servers', 'the names, the nearest first; --server takes them']],
  positionals: {},
  options: JSON_OPTION,
  run: async (_, io) => await reportOf({}, io, (session, client) => client.listServers(session)),
});
