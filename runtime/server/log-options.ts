import { traceFields, type TraceFields } from '../telemetry/index.js';

/** Members of log lines that may hold what must not be read by others. */
const SECRETS = ['authorization', 'cookie', 'password', 'secret', 'token', 'arguments', 'content'];

/** Options of pino. Spread them to add to them. */
export interface LogOptions<Level extends string> {
  readonly level: Level;
  readonly timestamp: () => string;
  readonly formatters: { readonly level: (label: string) => { readonly level: string } };
  readonly redact: string[];
  readonly mixin: () => TraceFields;
}

/**
 * For `pino(logOptions('info'), lineWriter())`: lines with the name of their level, the time in ISO 8601 and
 * their trace, in which members with the names of secrets are masked, three levels deep.
 */
export function logOptions<Level extends string>(level: Level): LogOptions<Level> {
  return {
    level,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    redact: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    // Ties each line to the request or task that wrote it.
    mixin: traceFields,
  };
}
