import { promises, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DiagnosticError, systemFailure } from '../generator/diagnostics/index.js';
import { quote } from '../json-schema/text.js';

const CHUNK = 256 * 1024;

/** Checks all files before any is read. @throws {DiagnosticError} `not-found` */
export function assertReadable(paths: readonly string[], cwd: string): void {
  const failures = paths.flatMap((path) => {
    try {
      return statSync(resolve(cwd, path)).isDirectory() ? failure(path, 'it is a folder') : [];
    } catch (error) {
      return failure(path, error);
    }
  });
  if (failures.length > 0) throw new DiagnosticError(failures);
}

/**
 * The content of a file in chunks. A chunk is valid until the next one is requested.
 *
 * @throws {DiagnosticError} `not-found`
 */
export async function* readChunks(path: string, cwd: string): AsyncGenerator<Uint8Array, void> {
  try {
    const file = await promises.open(resolve(cwd, path));
    try {
      const buffer = new Uint8Array(CHUNK);
      for (;;) {
        const { bytesRead } = await file.read(buffer);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new DiagnosticError([failure(path, error)]);
  }
}

function failure(path: string, reason: unknown) {
  const failed = systemFailure(reason)?.reason;
  const why = failed ?? (reason instanceof Error ? reason.message : String(reason));
  return {
    code: 'not-found',
    severity: 'error',
    message: `Cannot read ${quote(path)}: ${why}.`,
    source: path,
  } as const;
}
