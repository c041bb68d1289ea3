import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { BIN } from '../../test/cli/process.js';

/** What may stand between the suite and this repository: the result is the same as without it. */
export const THROUGH = ['nothing', 'record', 'guard --enforce'] as const;
export type Through = (typeof THROUGH)[number];

/** The command, to which the URL of the server is added. Undefined for nothing. */
export function commandOf(through: Through): readonly string[] | undefined {
  if (through === 'nothing') return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-conformance-'));
  const own = through === 'record' ? ['--append', '--out', join(folder, 'session.jsonl')] : [];
  return [process.execPath, BIN, ...through.split(' '), ...own];
}

/** Behind the name of what was run. */
export function sayThrough(through: Through): string {
  return through === 'nothing' ? '' : `, through ${through}`;
}
