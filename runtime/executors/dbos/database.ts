import type { DLogger } from '@dbos-inc/dbos-sdk';
import { Pool } from 'pg';

import type { CompleteOptions } from './options.js';

/** Connections to DBOS's tables, for the client and the worker of one node. */
export function openPool({ connectionString, ssl, poolSize, name }: CompleteOptions): Pool {
  const pool = new Pool({
    ...(connectionString !== undefined && { connectionString }),
    ...(ssl !== undefined && { ssl }),
    max: poolSize,
    application_name: `${name} (dbos)`,
    keepAlive: true,
  });
  // The pool replaces a connection that breaks while it is idle.
  pool.on('error', () => undefined);
  return pool;
}

/** Warnings of DBOS that report a fault. The others describe what recovery does anyway. */
const FAULT = /^(error|could not|database connection|unexpected)/i;

/** DBOS prints nothing; its faults are reported as those of the store are. */
export function quietLogger(report: (error: unknown) => void): DLogger {
  const fault = (entry: unknown): void => report(new Error(`DBOS: ${String(entry)}`));
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (entry) => FAULT.test(String(entry)) && fault(entry),
    error: fault,
  };
}
