import type { Readable, Writable } from 'node:stream';
import { LineCutter } from '../../../runtime/transport/reading/lines.js';
import type { Line } from '../../../runtime/transport/reading/lines.js';
import type { Party } from '../../validate/index.js';
import { messageIn, tooLong, writtenAnew } from './message.js';
import { LONGEST_MESSAGE } from './watcher.js';
import type { Watcher } from './watcher.js';
import { write } from './write.js';

/** One direction of a conversation in lines. */
export interface LinesWay {
  readonly from: Party;
  readonly source: Readable;
  readonly sink: Writable;
  /** Where an answer to the sender goes. */
  readonly back: Writable;
  readonly watcher: Watcher;
}

/** One process is one session. */
const SESSION = 1;

/** Passes bytes or judged messages on until the source ends, or is destroyed. Rejects when the watcher does. */
export async function relayLines(way: LinesWay): Promise<void> {
  const cutter = new LineCutter(LONGEST_MESSAGE);
  const { source, sink, watcher } = way;
  for await (const chunk of chunksOf(source)) {
    const written = watcher.holds ? undefined : write(sink, chunk);
    await see(way, cutter.push(chunk));
    await written;
  }
  await see(way, cutter.end());
}

async function* chunksOf(source: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) yield chunk;
  } catch {
    // The source was destroyed: its process has ended.
  }
}

async function see(way: LinesWay, lines: readonly Line[]): Promise<void> {
  const { from, watcher } = way;
  for (const line of lines) {
    const isCut = 'bytes' in line && !line.isWhole;
    const read = 'bytes' in line ? messageIn(line.bytes, watcher.holds) : tooLong(line.begun);
    // A message that the end of its process has cut was never sent.
    if (!read || (isCut && read.fault)) continue;
    const passing = { from, session: SESSION, ...read };
    const seen = watcher.see(passing);
    const ruling = seen instanceof Promise ? await seen : seen;
    if (!watcher.holds) continue;
    if (!ruling) await writeLine(way.sink, writtenAnew(passing));
    if (ruling?.instead !== undefined)
      await writeLine(way.sink, writtenAnew(passing, ruling.instead));
    if (ruling?.back !== undefined) await writeLine(way.back, writtenAnew(passing, ruling.back));
  }
}

async function writeLine(sink: Writable, json: string): Promise<void> {
  await write(sink, `${json}\n`);
}
