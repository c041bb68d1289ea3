import type { JsonObject } from '../../runtime/client/index.js';
import { UsageError } from './usage.js';

/** @throws {UsageError} */
export function parseObject(where: string, value: string): JsonObject {
  const parsed = parseJson(where, value);
  if (isObject(parsed)) return parsed;
  throw new UsageError(`${where} takes a JSON object.`);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws {UsageError} */
export function parseJson(where: string, value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw new UsageError(`What ${where} gives is not JSON.`);
  }
}

/** @throws {UsageError} */
export function mebibytes(name: string, written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const size = Number(written);
  if (size > 0 && size <= 512) return Math.ceil(size * 1024 * 1024);
  throw new UsageError(`${name} takes a number of MiB, up to 512.`);
}

/** @throws {UsageError} */
export function milliseconds(name: string, written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const seconds = Number(written);
  if (seconds > 0 && seconds < 1e9) return Math.ceil(seconds * 1000);
  throw new UsageError(`${name} takes a number of seconds.`);
}
