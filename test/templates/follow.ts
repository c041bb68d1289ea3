import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** How a command of a page went. */
export interface Followed {
  /** It ended without an error, or answered for as long as it ran. */
  readonly isGood: boolean;
  readonly output: string;
  /** Addresses in its output that answered. */
  readonly served: readonly string[];
}

/** The first message of a client, for programs that serve their standard streams. */
const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 'first', method: 'initialize' },
  params: {
    ...{ protocolVersion: '2025-11-25', capabilities: {} },
    clientInfo: { name: 'reader', version: '1.0.0' },
  },
};

/**
 * Runs a line in a shell as a reader of the page does. A line that does not end is a server: it has to answer over its standard
 * streams or at an address that it prints, and is then stopped.
 */
export async function follow(
  line: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Followed> {
  // In a group, because package managers start shells, which start the program.
  const child = spawn('sh', ['-ec', line], { cwd, env, detached: true });
  const stop = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // It has ended.
    }
  };
  let output = '';
  let stdout = '';
  let hasEnded = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stdin.on('error', () => {}).write(`${JSON.stringify(INITIALIZE)}\n`);
  const closed = (once(child, 'close') as Promise<[number | null]>).finally(() => {
    hasEnded = true;
  });
  try {
    while (!hasEnded) {
      if (answersIn(stdout)) {
        child.stdin.end();
        const [code] = await closed;
        return { isGood: code === 0, output, served: [] };
      }
      const served = await answering(output);
      if (served.length > 0 && !hasEnded) return { isGood: true, output, served };
      await Promise.race([closed, once(AbortSignal.timeout(100), 'abort')]);
    }
    const [code] = await closed;
    return { isGood: code === 0, output, served: [] };
  } finally {
    stop('SIGINT');
    await closed;
    stop('SIGKILL');
  }
}

function answersIn(stdout: string): boolean {
  return stdout.split('\n').some((line) => line.startsWith('{') && line.includes('"id":"first"'));
}

/** The addresses of this machine in a text at which something answers. */
async function answering(text: string): Promise<string[]> {
  const addresses = [...new Set(text.match(/http:\/\/(?:127\.0\.0\.1|localhost):\d+[^\s"')]*/g))];
  const answered = await Promise.all(
    addresses.map((address) =>
      fetch(address, { signal: AbortSignal.timeout(5000) }).then(
        () => true,
        () => false,
      ),
    ),
  );
  return addresses.filter((_, index) => answered[index]);
}
