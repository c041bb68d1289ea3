import type { Invocation, ServerLocation } from './arguments.js';
import { createAsker } from './asker.js';
import type { Asker } from './asker.js';
import { connect } from './connect.js';
import { EXIT } from './exit.js';
import type { ExitCode } from './exit.js';
import type { Io } from './io.js';
import type { TaskClient } from './mcp/index.js';
import { createProgressLine } from './progress.js';
import type { ProgressLine } from './progress.js';
import { openReferences, usualFolder } from './references.js';
import type { References } from './references.js';

/** What a command has to say when it is done. */
export interface Outcome {
  readonly exit: ExitCode;
  /** For people, on standard output. */
  readonly text: string;
  /** For programs, under `--json`. */
  readonly data: object;
}

/** What commands work with. */
export interface Session {
  readonly io: Io;
  readonly invocation: Invocation;
  readonly references: References;
  readonly progress: ProgressLine;
  readonly asker: Asker;
  /** Connects to a server for as long as the work takes. */
  with<T>(location: ServerLocation, work: (client: TaskClient) => Promise<T>): Promise<T>;
}

export function createSession(invocation: Invocation, io: Io): Session {
  const { answers, mayAsk, token, state } = invocation;
  const progress = createProgressLine(io);
  const asker = createAsker({ io, progress, answers, mayAsk });
  return {
    io,
    invocation,
    progress,
    asker,
    references: openReferences(state ?? usualFolder(io.env)),
    async with(location, work) {
      const client = await connect(location, { token, answer: asker.answer }, io);
      try {
        return await work(client);
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
