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
import { openReferences, usualFolder } from './references.js';
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
export type Target = Pick<KeptTask, 'server' | 'session' | 'tokenMark'>;

export interface Sent {
  /** The token that the server was sent. */
  readonly token: string | undefined;
}

/** What commands work with. */
export interface Session {
  readonly io: Io;
  readonly invocation: Invocation;
  readonly references: References;
  readonly progress: ProgressLine;
  readonly prompter: Prompter;
  /** Connects to a server for as long as the work takes. */
  with<T>(target: Target, work: (client: TaskClient, sent: Sent) => Promise<T>): Promise<T>;
}

export function createSession(invocation: Invocation, io: Io): Session {
  const { token, headers, state, maxMessage, timeout } = invocation;
  const progress = createProgressLine(io);
  const prompter = createPrompter({ io, progress, invocation });
  const statusHandlers = createStatusHandlers(progress);
  return {
    io,
    invocation,
    progress,
    prompter,
    references: openReferences(state ?? usualFolder(io.env)),
    async with({ server, session, tokenMark }, work) {
      const own = tokenFor(server, token, tokenMark, io);
      const { answer } = prompter;
      const options = {
        ...{ token: own, headers, answer, statusHandlers, maxMessage, timeout, session },
      };
      const client = await connect(server, options, io);
      try {
        return await work(client, { token: own });
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
