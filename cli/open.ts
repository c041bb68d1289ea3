import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The program that opens a file as its user would. */
const OPENERS: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer.exe' };

/** Opens a file with the program that the system has for it. False when that cannot be started. */
export async function openFile(path: string, platform: string): Promise<boolean> {
  const opener = OPENERS[platform] ?? 'xdg-open';
  const child = spawn(opener, [path], { detached: true, stdio: 'ignore' });
  try {
    await once(child, 'spawn');
    child.unref();
    return true;
  } catch {
    return false;
  }
}
