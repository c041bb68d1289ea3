import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface ProxiedUrl {
  /** For clients, in place of the server's. */
  readonly url: string;
  /** What the command wrote on standard error so far. */
  readonly said: readonly string[];
  /** Resolves when the command has ended. */
  readonly end: () => Promise<void>;
}

/** Starts a command that stands before a server's URL: `record` or `guard`. @throws when it does not start. */
export async function proxiedUrl(
  [program = '', ...words]: readonly string[],
  target: string,
): Promise<ProxiedUrl> {
  const child = spawn(program, [...words, target], { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(child, 'close');
  const said: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      said.push(line);
      const [, found] = /connect to (\S+)/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on('close', () => reject(new Error(`The proxy did not start: ${said.join('\n')}`)));
  });
  async function end(): Promise<void> {
    child.kill('SIGINT');
    await closed;
  }
  return { url, said, end };
}
