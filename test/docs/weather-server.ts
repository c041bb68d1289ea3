import * as z from 'zod';
import { createTaskServer, defineTool, serveStdio } from '../../runtime/server/index.js';
import type { TaskServer } from '../../runtime/server/index.js';

/** The server that docs/tools.md generates functions for. */
export function weatherServer(): Promise<TaskServer> {
  const currentWeather = defineTool({
    name: 'current_weather',
    description: 'The weather of a city.',
    input: z.object({ city: z.string() }),
    output: z.object({ celsius: z.number() }),
    run: () => ({ celsius: 21 }),
  });
  return createTaskServer({ name: 'weather', version: '1.0.0', tools: [currentWeather] });
}

if (process.argv[1] === import.meta.filename) await serveStdio(await weatherServer()).closed;
