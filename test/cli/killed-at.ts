import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Kills this process before the change of a file that KILLED_AT counts to; a text is written half. For `--import`. */

type Change = (...args: unknown[]) => unknown;

const place = Number(process.env['KILLED_AT']);
const CHANGES = ['writeFile', 'appendFile', 'rename', 'mkdir', 'rm', 'rmdir', 'unlink', 'chmod'];
let count = 0;

/** A lock is written by one call of the system. */
function writeHalf(path: string, data: string | Buffer, options?: fs.WriteFileOptions): void {
  if (path.endsWith('.lock')) return;
  const { flag = 'w', mode } = Object(options) as { flag?: string; mode?: number };
  const bytes = Buffer.from(data as string);
  fs.writeSync(fs.openSync(path, flag, mode), bytes, 0, bytes.length >> 1);
}

for (const name of CHANGES) {
  for (const [owner, key] of [
    [fs, `${name}Sync`],
    [fs.promises, name],
  ] as unknown as [Record<string, Change>, string][]) {
    const change = owner[key];
    owner[key] = (...args) => {
      count += 1;
      if (count === place) {
        if (name === 'writeFile') writeHalf(...(args as Parameters<typeof writeHalf>));
        process.kill(process.pid, 'SIGKILL');
      }
      return change?.(...args);
    };
  }
}
syncBuiltinESMExports();
