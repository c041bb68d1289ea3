import { platform } from 'node:os';
import type { ServerCommand } from '../../index.js';

const NEEDED =
  platform() === 'win32'
    ? 'APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE'
    : 'HOME LOGNAME PATH SHELL TERM USER';

/** The environment of a server's process. A function of a shell is none of its variables. */
export function environmentOf({ env }: ServerCommand): Record<string, string | undefined> {
  const needed = NEEDED.split(' ')
    .map((name) => [name, process.env[name]] as const)
    .filter(([, value]) => value?.startsWith('()') === false);
  return { ...Object.fromEntries(needed), ...env };
}
