import {
  headerVariables,
  refuseForUrls,
  reportOf,
  startsServer,
  SERVER_COMMAND,
  SERVER_OPTIONS,
  savedNames,
} from '../calling.js';
import { defineCommand, JSON_OPTION } from '../command.js';

export const addServerCommand = defineCommand({
  examples: [
    ['servers add prod --server https://example.com/mcp', 'a URL'],
    ['servers add prod --server https://example.com/mcp --token-env TOKEN', 'and its token'],
    ['servers add local -- node server.js', 'a command'],
  ],
  positionals: {
    name: {
      type: 'string',
      describe: 'Letters, digits, dots, hyphens, underscores',
      demandOption: true,
    },
  },
  verbatim: SERVER_COMMAND,
  options: {
    server: { ...SERVER_OPTIONS.server, describe: 'URL of the server' },
    'token-env': SERVER_OPTIONS['token-env'],
    'header-env': SERVER_OPTIONS['header-env'],
    ...JSON_OPTION,
  },
  run: async ({ name, tokenEnv: token, headerEnv, ...args }, io) =>
    // The variables are read when the server is used: here their values are not needed.
    await reportOf(args, io, async (session, client) => {
      if (startsServer(args)) refuseForUrls({ tokenEnv: token, headerEnv });
      const headers = headerVariables({ headerEnv }, client);
      return await client.addServer(session, { name, headers, token });
    }),
});

export const listServersCommand = defineCommand({
  examples: [['servers', 'the names, the nearest first; --server takes them']],
  positionals: {},
  options: JSON_OPTION,
  run: async (_, io) => await reportOf({}, io, (session, client) => client.listServers(session)),
});

export const removeServerCommand = defineCommand({
  examples: [['servers remove prod', 'forget it']],
  positionals: {
    name: { type: 'string', describe: 'The name of a saved server', demandOption: true },
  },
  valuesIn: { name: savedNames },
  options: JSON_OPTION,
  run: async ({ name }, io) =>
    await reportOf({}, io, (session, client) => client.removeServer(session, name)),
});
