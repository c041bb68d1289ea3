/** What the programs of the first call share. */

export const ADD = { name: 'add', arguments: { a: 1, b: 2 } };

/** What a program reports at its first result. */
export interface First {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds of CPU of the client's process. */
  readonly cpu: number;
}

export function stdioServer(): { command: string; args: string[]; stderr: 'ignore' } {
  return { command: process.execPath, args: [String(process.argv[2])], stderr: 'ignore' };
}

export function report(result: unknown): void {
  if (!JSON.stringify(result).includes('"3"')) throw new Error('The result is wrong');
  const at = performance.timeOrigin + performance.now();
  const { user, system } = process.cpuUsage();
  process.send?.({ at, cpu: (user + system) / 1_000 } satisfies First);
  process.disconnect?.();
}
