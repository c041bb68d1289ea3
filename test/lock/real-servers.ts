import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseLock } from '../../generator/lock/index.js';
import type { Lock } from '../../generator/lock/index.js';
import { BIN } from '../cli/process.js';

const TSX = resolve('node_modules/tsx/dist/cli.mjs');
const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Servers that this project or others wrote, as commands. */
export const SERVERS: Readonly<Record<string, readonly string[]>> = {
  playwright: [process.execPath, resolve('node_modules/playwright-core/cli.js'), 'mcp'],
  tools: [process.execPath, TSX, path('../tools/server.ts')],
  template: [process.execPath, TSX, resolve('templates/server/src/main.ts')],
};

/** What a server promises, as `mcp-codegen lock` writes it. */
export async function lockOf(command: readonly string[]): Promise<Lock> {
  const cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-real-'));
  try {
    await promisify(execFile)(process.execPath, [BIN, 'lock', '--', ...command], { cwd });
    return parseLock(readFileSync(join(cwd, 'mcp.lock.json'), 'utf8'), 'mcp.lock.json');
  } finally {
    rmSync(cwd, { recursive: true });
  }
}
