import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseLock } from '../../contracts/lock/index.js';
import type { Lock } from '../../contracts/lock/index.js';
import { BIN } from '../cli/process.js';
import { compiled } from '../support/program.js';

const path = (name: string): string => compiled(new URL(name, import.meta.url));

/** Servers that this project or others wrote, as commands. */
export const SERVERS: Readonly<Record<string, readonly string[]>> = {
  playwright: [process.execPath, resolve('node_modules/playwright-core/cli.js'), 'mcp'],
  tools: [process.execPath, path('../tools/server.ts')],
};

/** Starts the server of the official suite's scenarios, which has prompts and resources as well. */
export async function startConformance(): Promise<{ readonly url: string; stop(): void }> {
  const child = spawn(process.execPath, [path('../conformance/server.ts')]);
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { url: line.trim(), stop: () => child.stdin.end() };
}

/** What a server promises, as `mcp-codegen lock` writes it: of a URL, or of a command. */
export async function lockOf(server: string | readonly string[]): Promise<Lock> {
  const given = typeof server === 'string' ? [server] : ['--', ...server];
  const cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-real-'));
  try {
    await promisify(execFile)(process.execPath, [BIN, 'lock', ...given], { cwd });
    return parseLock(readFileSync(join(cwd, 'mcp.lock.json'), 'utf8'), 'mcp.lock.json');
  } finally {
    rmSync(cwd, { recursive: true });
  }
}
