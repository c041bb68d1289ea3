import type { Io, Stream } from '../../cli/io.js';
import { main } from '../../cli/main.js';
import { PLAIN } from '../../generator/diagnostics/index.js';

export interface Result {
  readonly code: number;
  /** Both streams, as off a terminal. */
  readonly text: string;
}

/** Runs a command line in this process and in the folder `cwd`. Standard input is closed to it. */
export async function runHere(argv: readonly string[], cwd: string): Promise<Result> {
  const texts: string[] = [];
  const stream: Stream = {
    write: (text) => void texts.push(text),
    paint: PLAIN,
    width: 80,
    canRedraw: false,
    drained: () => Promise.resolve(),
  };
  const io: Io = {
    ...{ out: stream, err: stream, cwd, terminal: undefined, env: {} },
    input: () => {
      throw new Error('The command reads no input.');
    },
    pipes: () => {
      throw new Error('The command stands between no programs.');
    },
    onInterrupt: () => () => undefined,
  };
  const code = await main(argv, io);
  return { code, text: texts.join('') };
}
