import { createInterface } from 'node:readline';
import { printable } from '../printable.js';

/** Lines that arrived before they were asked for, for instance through a pipe. */
const early: string[] = [];
let last: Promise<unknown> = Promise.resolve();

/**
 * Asks the user for one line, on standard error and standard input. Questions wait for each other, because a server may
 * ask several at once. Characters that a terminal would act on are escaped in `prompt`, which is shown whole, because a user
 * has to read all of an address.
 *
 * Resolves with undefined at the end of the input, and when `signal` is aborted. Ctrl-C raises `SIGINT` as usual.
 */
export function ask(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
  const answer = last.then(() => readLine(`${printable(prompt, Infinity)} `, signal));
  last = answer.catch(() => undefined);
  return answer;
}

async function readLine(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
  const { stderr: output, stdin: input } = process;
  if (signal?.aborted === true) return undefined;
  if (early.length > 0 || input.readableEnded) {
    output.write(`${prompt}\n`);
    return early.shift();
  }
  const terminal = createInterface({ input, output, prompt });
  const close = (): void => terminal.close();
  signal?.addEventListener('abort', close);
  // While a line is edited, the terminal passes Ctrl-C as a character.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  terminal.prompt();
  await new Promise<void>((resolve) => {
    terminal.once('close', resolve);
    terminal.on('line', (line) => {
      early.push(line);
      resolve();
    });
  });
  signal?.removeEventListener('abort', close);
  close();
  return early.shift();
}
