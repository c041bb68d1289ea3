import { reportOf, SERVER_COMMAND, SERVER_OPTIONS, serverNames } from '../calling.js';
import { defineCommand } from '../command.js';

export const describeCommand = defineCommand({
  examples: [
    ['describe --server https://example.com/mcp', 'what the server offers'],
    ['describe -- npx my-server', 'of a server that this command starts'],
    ['describe look_up --server prod', "a tool's arguments"],
  ],
  positionals: {
    tool: { type: 'string', describe: 'The tool to describe (default: all)' },
  },
  verbatim: SERVER_COMMAND,
  valuesIn: { server: serverNames },
  options: SERVER_OPTIONS,
  run: async (args, io) =>
    await reportOf(args, io, (session, client) =>
      args.tool === undefined
        ? client.describeServer(session)
        : client.describeTool(session, args.tool),
    ),
});
