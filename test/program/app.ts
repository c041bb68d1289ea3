import { mkdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';

import {
  http,
  introspection,
  jwt,
  memory,
  postgres,
  runServer,
  type ServerContext,
  sqlite,
  stdio,
} from '../../runtime/program/index.js';
import { defineServer, defineTool } from '../../runtime/server/index.js';

/** A program for tests, whose parts are `PARTS` and whose project is `PROJECT`: `PARTS="http jwt sqlite"`. */
const { PARTS = '', PROJECT = '' } = process.env;
mkdirSync(PROJECT, { recursive: true });

const has = (name: string): boolean => PARTS.split(' ').includes(name);
const SETTINGS = {
  GREETING: z.string().default('Hello').describe('How users are greeted'),
  STEPS: z.coerce.number().int().min(1).default(3).describe('Steps of a walk'),
};

function server({ settings, log }: ServerContext<typeof SETTINGS>) {
  return defineServer({
    name: 'walker',
    version: '1.2.3',
    tools: [
      defineTool({
        name: 'greet',
        description: 'Greets.',
        input: z.object({ name: z.string() }),
        run: ({ args }) => `${settings.GREETING}, ${args.name}!`,
      }),
      defineTool({
        name: 'walk',
        description: 'Takes steps.',
        input: z.object({ ms: z.int() }),
        taskSupport: 'optional',
        steps: true,
        async run({ args, task }) {
          for (let step = 1; step <= settings.STEPS; step += 1) {
            await task.step(`step-${step}`, async () => {
              await new Promise((resolve) => setTimeout(resolve, args.ms));
              log.info({ event: 'walked' }, `Walked ${step}`);
            });
          }
          return `Walked ${settings.STEPS} steps`;
        },
      }),
      defineTool({
        name: 'deaf',
        description: 'Ignores its signal.',
        input: z.object({}),
        taskSupport: 'optional',
        run() {
          log.info({ event: 'deaf' }, 'The deaf tool runs');
          return new Promise<string>((resolve) => setTimeout(() => resolve('late'), 600_000));
        },
      }),
    ],
  });
}

const auth = has('jwt') ? jwt() : has('introspection') ? introspection() : undefined;
await runServer({
  server,
  project: pathToFileURL(`${PROJECT}/`),
  transport: has('http') ? http(auth && { auth }) : stdio(),
  store: has('sqlite') ? sqlite() : has('postgres') ? postgres() : memory(),
  settings: { ...SETTINGS, ...(has('clash') && { PORT: z.string() }) },
});
