import { reportOf, SERVER_OPTIONS, serverNames } from '../calling.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { UsageError } from '../exit.js';

const text = { type: 'string', requiresArg: true } as const;

export const loginCommand = defineCommand({
  examples: [
    ['login --server https://example.com/mcp', 'in the browser'],
    ['login --server prod --device', 'in a browser on another device'],
    ['login --server prod --client-id app --redirect-port 8765', 'a client registered by hand'],
  ],
  positionals: {},
  valuesIn: { server: serverNames },
  options: {
    server: SERVER_OPTIONS.server,
    device: {
      type: 'boolean',
      describe: 'Print a code for a browser on another device',
      conflicts: 'client-credentials',
    },
    'client-credentials': {
      type: 'boolean',
      describe: 'As a program, with MCP_CLIENT_ID and MCP_CLIENT_SECRET',
    },
    scope: { ...text, describe: 'The scopes, separated by spaces (default: those of the server)' },
    issuer: { ...text, describe: 'The authorization server that may get the secret' },
    'client-id': {
      ...text,
      describe: 'The id of a client that was registered by hand (default: MCP_CLIENT_ID)',
    },
    'client-metadata': { ...text, describe: 'The https address of a client metadata document' },
    'redirect-port': {
      ...text,
      describe: 'The exact port to which the browser comes back (default: any)',
    },
    timeout: SERVER_OPTIONS.timeout,
    'no-input': { type: 'boolean', describe: 'Print the address, and open no browser' },
    ...JSON_OPTION,
  },
  run: async (args, io) => {
    const grant = args.device
      ? 'device'
      : args.clientCredentials
        ? 'client-credentials'
        : 'browser';
    const wish = {
      grant,
      scope: args.scope,
      issuer: args.issuer,
      clientId: args.clientId,
      clientMetadata: args.clientMetadata,
      redirectPort: portOf(args.redirectPort),
    } as const;
    return await reportOf(args, io, (session, client) => client.logIn(session, wish));
  },
});

function portOf(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const port = Number(written);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new UsageError('--redirect-port is not a port.', 'Give a number from 1 to 65535.');
}

export const logoutCommand = defineCommand({
  examples: [['logout --server https://example.com/mcp', 'revoke and delete its tokens']],
  positionals: {},
  valuesIn: { server: serverNames },
  options: { server: SERVER_OPTIONS.server, ...JSON_OPTION },
  run: async (args, io) => await reportOf(args, io, (session, client) => client.logOut(session)),
});
