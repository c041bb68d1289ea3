import {
  reportOf,
  SERVER_COMMAND,
  SERVER_OPTIONS,
  serverNames,
  ANSWER_OPTIONS,
  SAVE_OPTION,
} from '../calling.js';
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

export const readResourceCommand = defineCommand({
  examples: [
    ['resources read note://today --server prod', 'the contents of a resource'],
    ['resources read file:///a.png --server prod --save pictures', 'in a file'],
  ],
  positionals: {
    uri: { type: 'string', describe: "The resource's address", demandOption: true },
  },
  verbatim: SERVER_COMMAND,
  valuesIn: { server: serverNames },
  options: { ...SAVE_OPTION, ...ANSWER_OPTIONS, ...SERVER_OPTIONS },
  run: async (args, io) =>
    await reportOf(args, io, (session, client) => client.readResource(session, args.uri)),
});
