import { reportOf, SERVER_OPTIONS, serverNames } from '../calling.js';
import { defineCommand, JSON_OPTION } from '../command.js';

export const logoutCommand = defineCommand({
  examples: [['logout --server https://example.com/mcp', 'revoke and delete its tokens']],
  positionals: {},
  valuesIn: { server: serverNames },
  options: { server: SERVER_OPTIONS.server, ...JSON_OPTION },
  run: async (args, io) => await reportOf(args, io, (session, client) => client.logOut(session)),
});
