import type { Readable, Writable } from 'node:stream';
import type { Party } from '../../validate/index.js';
import { LineCutter } from './lines.js';
import type { Line } from './lines.js';
import { messageIn, sizeOf } from './message.js';
import { LONGEST_MESSAGE } from './watcher.js';
import type { Ruling, Watcher } from './watcher.js';
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

const LINE_FEED = Buffer.from('\n');
/** One process is one session. */
const SESSION = 1;

/** Passes bytes on until the source ends, or is destroyed. Rejects when the watcher does. */
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
    if ('tooLong' in line) {
      watcher.unread(from, sizeOf(line.tooLong));
      continue;
    }
    const read = messageIn(line.bytes);
    if (read?.unread !== undefined) {
      watcher.unread(from, read.unread);
      continue;
    }
    // A message that the end of its process has cut was never sent.
    const isCut = !line.isWhole && read?.isJson === false;
    const seen = read && !isCut ? watcher.see({ from, session: SESSION, ...read }) : undefined;
    const ruling = seen instanceof Promise ? await seen : seen;
    if (watcher.holds) await pass(way, line.bytes, line.isWhole, ruling);
  }
}

async function pass(
  { sink, back }: LinesWay,
  bytes: Buffer,
  isWhole: boolean,
  ruling: Ruling | undefined,
): Promise<void> {
  if (!ruling) {
    await write(sink, isWhole ? Buffer.concat([bytes, LINE_FEED]) : bytes);
    return;
  }
  if (ruling.instead !== undefined) await write(sink, `${JSON.stringify(ruling.instead)}\n`);
  if (ruling.back !== undefined) await write(back, `${JSON.stringify(ruling.back)}\n`);
}
