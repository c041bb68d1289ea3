import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import { endsAs } from './shell.js';
import type { ShellBlock, Step } from './shell.js';

/** Where the commands of a page run. */
export interface Reader {
  /** The reader's folder: of settings, saved servers and tasks, which are not those of this user. */
  readonly folder: string;
  /** Texts that only the reader's machine can say, with what they are here. */
  readonly texts?: ReadonlyMap<string, string>;
  /** Variables beside those of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  /** What a terminal would show: stdout and stderr. */
  readonly output: string;
  /** The folder that the script ends in. */
  readonly cwd: string;
}

/** Runs blocks one after the other, beginning in the folder `start`, and compares what each prints with the page. */
export async function runBlocks(blocks: readonly ShellBlock[], start: string, reader: Reader) {
  let cwd = start;
  for (const { place, steps } of blocks) {
    for (const step of steps) {
      const script = [...(reader.texts ?? [])].reduce(
        (text, [from, to]) => text.replaceAll(from, to),
        step.script,
      );
      const ended = await sh({ ...step, script }, cwd, reader);
      const about = `${place}\n${script}\n${ended.output}`;
      if (!step.mayFail) expect(ended.code, about).toBe(0);
      const output = step.mayFail ? ended.output : ended.stdout;
      if (step.printed !== undefined) expect(endsAs(output, step.printed), about).toBe(true);
      cwd = ended.cwd;
    }
  }
}

function sh({ script, mayFail }: Step, cwd: string, { folder, env }: Reader): Promise<Ended> {
  const place = join(folder, '.cwd');
  const text = `trap 'pwd > "${place}"' EXIT\n${script}\n`;
  const child = spawn('sh', [...(mayFail ? [] : ['-e']), '-c', text], {
    cwd,
    env: {
      ...process.env,
      NO_COLOR: '1',
      XDG_CONFIG_HOME: join(folder, '.config'),
      XDG_STATE_HOME: join(folder, '.state'),
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      ...env,
    },
    stdio: 'pipe',
  });
  child.stdin.end();
  const ended = { stdout: '', output: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    ended.stdout += chunk;
    ended.output += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (ended.output += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => {
      resolve({ code, ...ended, cwd: readFileSync(place, 'utf8').trim() });
    });
  });
}
