import { defineCommand } from '../command.js';
import { EXIT, UsageError } from '../exit.js';
import { mockLog } from '../mock-log.js';
import { MOCK_NUMBERS, portOf, seedOf, speedOf } from '../mock-options.js';

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
