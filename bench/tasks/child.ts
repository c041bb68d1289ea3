import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a file of this folder in its own process and returns its output as JSON. */
export async function inChild(file: string, ...args: string[]): Promise<Record<string, number>> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, ['--expose-gc', '--import', 'tsx', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return JSON.parse(output) as Record<string, number>;
}

/**
 * Called in the child. It prints the figures when the process ends by itself, so nothing may keep it
 * alive.
 */
export function tell(figures: Record<string, number>, closedAt: number): void {
  process.on('exit', () => {
    process.stdout.write(JSON.stringify({ ...figures, exitMs: performance.now() - closedAt }));
  });
}
