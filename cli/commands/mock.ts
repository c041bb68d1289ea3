import { defineCommand } from '../command.js';
import { EXIT, UsageError } from '../exit.js';
import { mockLog } from '../mock-log.js';
import { quote } from '../../json-schema/text.js';

const text = { type: 'string', requiresArg: true } as const;

/** Options of `mock` that are numbers. */
const MOCK_NUMBERS = {
  port: { ...text, describe: 'The port of --http (default: any free one)' },
  speed: {
    ...text,
    describe:
      'How much faster than it was recorded: 10, 0.5, or "instant" to wait for nothing (default: 1)',
  },
  seed: { ...text, describe: 'Generated results are the same for the same number (default: 1)' },
} as const;

export const mockCommand = defineCommand({
  examples: [
    ['mock session.jsonl', 'serve what was recorded over stdio'],
    ['mock session.jsonl --http --port 3000', 'over Streamable HTTP'],
    ['mock session.jsonl --lock mcp.lock.json', 'other calls get generated results'],
    ['mock --lock mcp.lock.json --seed 7', 'generated results only'],
    ['mock session.jsonl --speed instant', 'without waiting'],
  ],
  positionals: {
    recording: { type: 'string', describe: 'A recording, as "record" writes it' },
  },
  options: {
    lock: {
      type: 'string',
      requiresArg: true,
      describe: 'A lock file, which answers what was not recorded',
    },
    http: { type: 'boolean', describe: 'Serve Streamable HTTP (default: stdio)' },
    ...MOCK_NUMBERS,
    strict: {
      type: 'boolean',
      describe: 'Serve only the recorded revisions (default: translate to the others)',
    },
    log: {
      choices: ['text', 'json', 'none'] as const,
      requiresArg: true,
      describe:
        'What is written to standard error: requests without an answer as text (default), all requests as JSON, or nothing',
    },
  },
  async run(args, io) {
    const { recording, lock, http = false, strict = false, log = 'text' } = args;
    if (recording === undefined && lock === undefined) {
      throw new UsageError(
        'There is nothing to serve.',
        'Name a recording, or a lock with --lock.',
      );
    }
    if (!http && args.port !== undefined) {
      throw new UsageError('--port is given without --http.', 'Add --http.');
    }
    const port = portOf(args.port);
    const { ListenError, mocked, serveMockHttp, serveStdio } =
      await import('../../contracts/mock/index.js');
    const reports = mockLog(io, log, recording ?? lock ?? '');
    const ready = await mocked({
      recording,
      lock,
      cwd: io.cwd,
      speed: speedOf(args.speed),
      seed: seedOf(args.seed),
      isStrict: strict,
      onRequest: reports.request,
      onProblem: reports.problem,
    });
    reports.summary(ready.summary);
    try {
      if (http) {
        const served = await serveMockHttp(ready.server, { port, host: '127.0.0.1' });
        reports.serving(`Clients connect to ${served.url}. Ctrl-C ends the mock.`, served.url);
        await new Promise<void>((done) => io.onInterrupt(done));
        await served.close(0);
      } else {
        reports.serving('Serving over stdio.', undefined);
        const { input: source, output: target } = io.pipes();
        await serveStdio(ready.server, { source, target }).closed;
      }
    } catch (error) {
      if (error instanceof ListenError) throw new UsageError(error.message);
      throw error;
    } finally {
      ready.close();
    }
    return { exitCode: EXIT.done, text: () => '', data: {} };
  },
});

const LAST_PORT = 65_535;

/** @throws {UsageError} */
function portOf(given = '0'): number {
  const port = Number(given);
  if (/^\d{1,5}$/.test(given) && port <= LAST_PORT) return port;
  throw new UsageError(
    `--port is ${quote(given)}, not a port.`,
    `Use 0 to ${LAST_PORT}; 0 is any free one.`,
  );
}

/** @throws {UsageError} */
function speedOf(given = '1'): number {
  if (given === 'instant' || given === '0') return Infinity;
  const speed = Number(given);
  if (/^[\d.]{1,10}$/.test(given) && speed > 0) return speed;
  throw new UsageError(
    `--speed is ${quote(given)}, not a number above 0.`,
    'Give 1 for the recorded times, 10 for a tenth of them, or "instant".',
  );
}

/** @throws {UsageError} */
function seedOf(given = '1'): number {
  const seed = Number(given);
  if (/^-?\d{1,15}$/.test(given)) return seed;
  throw new UsageError(`--seed is ${quote(given)}, not a whole number.`, 'For example --seed 7.');
}
