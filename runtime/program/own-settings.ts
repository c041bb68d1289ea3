import * as z from 'zod';

import type { SettingsOf } from './settings.js';

/** Settings of every program. */
export const programSettings = {
  DRAIN_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(300_000)
    .default(5_000)
    .describe('Milliseconds that calls and tasks get to finish when the server has to stop'),
};

/** Settings of the log that a program has by default. */
export const logSettings = {
  LOG_LEVEL: z
    .enum(['error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('The least important lines to log: error, warn, info, debug, silent'),
};

export type LogLevel = SettingsOf<typeof logSettings>['LOG_LEVEL'];
