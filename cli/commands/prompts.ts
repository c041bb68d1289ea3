import {
  ANSWER_OPTIONS,
  reportOf,
  SAVE_OPTION,
  SERVER_COMMAND,
  SERVER_OPTIONS,
  serverNames,
} from '../calling.js';
import { defineCommand } from '../command.js';

export const getPromptCommand = defineCommand({
  examples: [['prompts get review code=x --server prod', 'the messages of a prompt']],
  positionals: {
    prompt: { type: 'string', describe: "The prompt's name", demandOption: true },
    arguments: { type: 'string', array: true, describe: 'Its arguments: name=value', default: [] },
  },
  verbatim: SERVER_COMMAND,
  valuesIn: { server: serverNames },
  options: { ...SAVE_OPTION, ...ANSWER_OPTIONS, ...SERVER_OPTIONS },
  run: async (args, io) =>
    await reportOf(args, io, (session, client) =>
      client.getPrompt(session, args.prompt, client.textsOf(args.arguments)),
    ),
});

export const listPromptsCommand = defineCommand({
  examples: [['prompts --server prod', 'the prompts and their arguments']],
  positionals: {},
  verbatim: SERVER_COMMAND,
  valuesIn: { server: serverNames },
  options: SERVER_OPTIONS,
  run: async (args, io) =>
    await reportOf(args, io, (session, client) => client.listPrompts(session)),
});
