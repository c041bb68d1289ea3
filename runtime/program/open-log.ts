import { lineWriter } from '../server/log/audit-lines.js';
import type { ServerLog } from '../server/log/log.js';
import { missing } from '../optional.js';
import { logOptions } from './options.js';
import type { LogLevel } from './own-settings.js';

/**
 * Lines of JSON on standard error.
 *
 * @throws {MissingPackageError} without the package `pino`.
 */
export async function openLog(level: LogLevel): Promise<ServerLog> {
  const { pino } = await import('pino').catch(missing('pino', 'The log'));
  const log: ServerLog = pino(logOptions(level), lineWriter());
  return log;
}
