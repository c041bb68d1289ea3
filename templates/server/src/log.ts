import { lineWriter, traceFields } from '@mcp-codegen/runtime/server';
import { pino, stdTimeFunctions } from 'pino';
import type { LevelWithSilent, Logger } from 'pino';

/** Members of log lines that may hold what must not be read by others. */
const SECRETS = ['authorization', 'cookie', 'password', 'secret', 'token', 'arguments', 'content'];

/** A log of JSON lines on standard error, because standard output may be the client's. */
export function createLog(level: LevelWithSilent, destination = lineWriter()): Logger {
  return pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      // Ties each line to the request or task that wrote it.
      mixin: traceFields,
    },
    destination,
  );
}
