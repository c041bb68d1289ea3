import * as z from 'zod';
import { createTaskServer, defineTool, serveHttp, serveStdio } from '../../runtime/server/index.js';

/** A server with tools of every make; over HTTP it prints its URL and ends with its standard input. */
const Tree = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree).optional();
  },
});

const tools = [
  defineTool({
    name: 'slow_compute',
    description: 'Computes, slowly. */ `${0}`',
    input: z.object({
      seconds: z.number().describe('How long.'),
      mode: z.enum(['fast', 'exact']).optional(),
    }),
    output: z.object({ value: z.number(), unit: z.literal('s').nullable() }),
    taskSupport: 'optional',
    run: ({ args }) => ({ value: args.seconds * 2, unit: 's' as const }),
  }),
  defineTool({
    name: 'walk-tree',
    description: 'Counts.',
    input: z.object({
      root: Tree,
      where: z.union([z.string(), z.tuple([z.number(), z.number()])]),
    }),
    output: z.object({ sizes: z.record(z.string(), z.number()) }),
    run: () => ({ sizes: { all: 1 } }),
  }),
  defineTool({
    name: 'ping',
    description: 'Answers.',
    input: z.object({}),
    run: () => 'pong',
  }),
  defineTool({
    name: 'fail',
    description: 'Fails.',
    input: z.object({}),
    output: z.object({ never: z.string() }),
    run: () => Promise.reject(new Error('as it should')),
  }),
];

const server = await createTaskServer({ name: 'tools test', version: '1.0.0', tools });
if (process.argv.includes('--http')) {
  const http = await serveHttp(server, { allowUnidentified: true });
  console.log(http.url);
  process.stdin.resume();
  process.stdin.once('end', () => {
    void http.close().then(() => server.close(0));
  });
} else serveStdio(server);
