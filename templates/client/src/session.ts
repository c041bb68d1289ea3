import { join } from 'node:path';
import type { Invocation } from './arguments.js';
import { connect } from './connect.js';
import { EXIT } from './exit.js';
import type { ExitCode } from './exit.js';
import type { Io } from './io.js';
import type { TaskClient } from '@mcp-codegen/runtime/client';
import { createPrompter } from './prompter.js';
import type { Prompter } from './prompter.js';
import { createProgressLine } from './progress.js';
import type { ProgressLine } from './progress.js';
import { createLogins } from '@mcp-codegen/runtime/client/node';
import type { Logins } from '@mcp-codegen/runtime/client/node';
import { valuesOf } from './arguments.js';
import { configFolder, stateFolder } from './config.js';
import { variable } from './headers.js';
import { shownServer } from './location.js';
import { openReferences } from './references.js';
import { openServers } from './servers.js';
import type { Servers } from './servers.js';
import type { KeptTask, References } from './references.js';
import { createStatusHandlers } from './status.js';
import { tokenFor } from './token.js';

/** What a command has to say when it is done. */
export interface Outcome {
  readonly exit: ExitCode;
  /** For people, on standard output. */
  readonly text: string;
  /** For programs, under `--json`. */
  readonly data: object;
}

/** A server, and what is kept of an earlier connection to it. */
export type Target = Pick<KeptTask, 'server' | 'saved' | 'session' | 'tokenMark'>;

export interface Sent {
  /** The token that the server was sent. */
  readonly token: string | undefined;
}

/** What commands work with. */
export interface Session {
  readonly io: Io;
  readonly invocation: Invocation;
  readonly references: References;
  readonly servers: Servers;
  readonly logins: Logins;
  readonly progress: ProgressLine;
  readonly prompter: Prompter;
  /** Connects to a server for as long as the work takes. */
  with<T>(target: Target, work: (client: TaskClient, sent: Sent) => Promise<T>): Promise<T>;
}

export function createSession(invocation: Invocation, io: Io): Session {
  const { state, maxMessage, timeout } = invocation;
  const { env } = io;
  const progress = createProgressLine(io);
  const prompter = createPrompter({ io, progress, invocation });
  const statusHandlers = createStatusHandlers(progress);
  const servers = openServers(env);
  const config = configFolder(env);
  const logins = createLogins({
    folder: join(config, 'logins'),
    clientName: 'my-mcp-client',
  });

  /** What is sent to a server beside messages: given on the command line, or saved with its name. */
  async function secretsOf({ server, saved, tokenMark }: Target) {
    const { token, headers } = invocation;
    const named = saved === undefined ? undefined : await servers.find(saved);
    // A saved server may have changed since the task was started at it.
    const own = named && shownServer(named.location) === shownServer(server) ? named : undefined;
    const given =
      own?.token !== undefined && token?.from !== 'command line'
        ? variable(own.token, env, 'the token')
        : tokenFor(server, token, tokenMark, io);
    const authProvider =
      given === undefined && 'url' in server
        ? await logins.authProvider(server.url, env['MCP_CLIENT_SECRET'])
        : undefined;
    return {
      token: given,
      authProvider,
      headers: { ...(own && valuesOf(own.headers, env)), ...headers },
    };
  }

  return {
    io,
    invocation,
    progress,
    prompter,
    servers,
    logins,
    references: openReferences(state ?? join(stateFolder(env), 'tasks')),
    async with(target, work) {
      const secrets = await secretsOf(target);
      const { answer } = prompter;
      const { server, session } = target;
      const options = { ...secrets, answer, statusHandlers, maxMessage, timeout, session };
      const client = await connect(server, options, io);
      try {
        return await work(client, { token: secrets.token });
      } finally {
        progress.clear();
        await client.close();
      }
    },
  };
}

export function done(text: string, data: object): Outcome {
  return { exit: EXIT.done, text, data };
}
