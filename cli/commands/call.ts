import {
  ANSWER_OPTIONS,
  reportOf,
  SAVE_OPTION,
  SERVER_COMMAND,
  SERVER_OPTIONS,
  serverNames,
  STATE_OPTION,
} from '../calling.js';
import { defineCommand } from '../command.js';

const text = { type: 'string', requiresArg: true } as const;

export const callCommand = defineCommand({
  examples: [
    ['call look_up text=Hello --server https://example.com/mcp', "converted by the tool's schema"],
    ['call look_up limit:=5 -- node server.js', 'JSON, and a server that this command starts'],
    ['call look_up text=Hello --server prod --detach', 'leave its task running'],
  ],
  positionals: {
    tool: { type: 'string', describe: "The tool's name", demandOption: true },
    arguments: {
      type: 'string',
      array: true,
      describe: 'Its arguments: name=value, or name:=json',
      default: [],
    },
  },
  verbatim: SERVER_COMMAND,
  valuesIn: { server: serverNames },
  options: {
    args: { ...text, describe: 'The arguments as one JSON object' },
    detach: { type: 'boolean', describe: 'Leave a task running, and print its id' },
    silence: {
      ...text,
      describe:
        'Seconds without a sign of a call, unless --timeout is given (default: 300; 0: none)',
    },
    ttl: { ...text, describe: 'Seconds that the server shall keep the task' },
    ...SAVE_OPTION,
    ...ANSWER_OPTIONS,
    ...SERVER_OPTIONS,
    ...STATE_OPTION,
  },
  run: async (args, io) => {
    const { tool, arguments: words, args: whole } = args;
    return await reportOf(
      args,
      io,
      (session, client) => client.call(session, tool, client.argumentsOf(words, whole)),
      tool,
    );
  },
});
