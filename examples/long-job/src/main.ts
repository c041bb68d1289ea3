#!/usr/bin/env node
import { http, runServer, sqlite } from '@mcp-codegen/runtime/program';
import { defineServer } from '@mcp-codegen/runtime/server';
import * as z from 'zod';
import { renderFilm } from './render-film.js';

const HOUR_MS = 3_600_000;

await runServer({
  server: ({ settings }) =>
    defineServer({
      name: 'films',
      version: '0.1.0',
      tools: [renderFilm(settings.FILMS)],
      limits: { ttlDefault: HOUR_MS },
    }),
  project: new URL('..', import.meta.url),
  // Without authorization any client that knows a task's id can use the task, so keep to this machine.
  transport: http(),
  // Keeps tasks and their steps across restarts.
  store: sqlite(),
  settings: { FILMS: z.string().default('films').describe('The folder of the films') },
});
