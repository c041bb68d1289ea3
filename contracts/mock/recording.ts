import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { DiagnosticError, systemFailure } from '../../generator/diagnostics/index.js';
import type { DiagnosticCode } from '../../generator/diagnostics/index.js';
import {
  Framer,
  instantOf,
  inUtf8,
  isRecord,
  read,
  unpacked,
  withLineFeeds,
  withMarkedNumbers,
} from '../validate/index.js';
import { markAt } from './masks.js';
import type { Party, Read, Unit } from '../validate/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';

/** A message of a recording. */
export interface Recorded {
  readonly message: JsonObject;
  /** The same to be sent again: numbers are marked that `JSON.parse` changes. */
  readonly sent: JsonObject;
  /** Undefined without a tag. */
  readonly from: Party | undefined;
  /** Milliseconds, since 1970 or since midnight. */
  readonly ms: number | undefined;
  readonly session: string;
  /** Where `at` finds it again. */
  readonly place: number;
  readonly line: number;
}

/** A text that should have been a message. */
export interface Damage {
  readonly line: number;
  readonly problem: string;
}

/** A recording that is read twice: once as a whole, then message by message. */
export interface Recording {
  readonly source: string;
  /** All messages in their order, some at a time. */
  messages(): AsyncIterable<readonly (Recorded | Damage)[]>;
  /** @throws {DiagnosticError} when the file has changed. */
  at(place: number): Recorded;
  close(): void;
}

/** Bytes of a line, and of a recording that is not JSON Lines. */
const LARGEST_LINE = 32 * 2 ** 20;
const LARGEST_WHOLE = 64 * 2 ** 20;
const CHUNK = 2 ** 18;
/** Messages of one line. */
const MOST_IN_LINE = 2 ** 12;
/** Blank lines before the first message. */
const MOST_BLANK = 1_000;
const LINE_FEED = 0x0a;

/**
 * Opens a recording of any form that `mcp-codegen validate` reads. JSON Lines stay in the file, and a line is read again
 * when its message is needed; other forms are kept in memory.
 *
 * @throws {DiagnosticError} `not-found`
 */
export function openRecording(path: string, source = path): Recording {
  const file = opened(path, source);
  const recording = new LinesFile(file, source);
  return recording.isLines() ? recording : new WholeFile(recording, source);
}

export function problem(code: DiagnosticCode, source: string, message: string, help?: string) {
  return new DiagnosticError([
    { code, severity: 'error', source, message, ...(help !== undefined && { help }) },
  ]);
}

function opened(path: string, source: string): number {
  try {
    if (statSync(path).isDirectory()) throw problem('not-found', source, 'It is a folder.');
    return openSync(path, 'r');
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    const reason = systemFailure(error)?.reason ?? String(error);
    throw problem('not-found', source, `Cannot read the recording: ${reason}.`);
  }
}

class LinesFile implements Recording {
  readonly source: string;
  readonly #file: number;
  readonly #buffer = Buffer.alloc(CHUNK);
  #isClosed = false;

  constructor(file: number, source: string) {
    this.#file = file;
    this.source = source;
  }

  /** Whether the first line with text is a message. */
  isLines(): boolean {
    for (let offset = 0, blank = 0; blank < MOST_BLANK; blank += 1) {
      const bytes = this.#line(offset);
      if (bytes === undefined) return true;
      if (bytes.some((byte) => byte > 0x20)) return unitsIn(bytes, 1).some(isUnit);
      offset += bytes.length + 1;
    }
    return false;
  }

  async *messages(): AsyncGenerator<readonly (Recorded | Damage)[], void> {
    let begun: Uint8Array[] = [];
    let length = 0;
    let offset = 0;
    let line = 0;
    for await (const chunk of this.chunks()) {
      const found: (Recorded | Damage)[] = [];
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        const part = chunk.subarray(start, end);
        const bytes = length === 0 ? part : Buffer.concat([...begun, part]);
        found.push(...placedIn(bytes, (line += 1), offset));
        offset += length + part.length + 1;
        [begun, length, start] = [[], 0, end + 1];
      }
      const rest = chunk.subarray(start);
      // Of a line that is too long, its beginning is enough.
      if (length <= LARGEST_LINE) begun.push(Uint8Array.from(rest));
      length += rest.length;
      yield found;
    }
    if (length > 0) yield [...placedIn(Buffer.concat(begun), line + 1, offset)];
  }

  at(place: number): Recorded {
    const bytes = this.#line(Math.floor(place / MOST_IN_LINE));
    for (const each of bytes === undefined
      ? []
      : placedIn(bytes, 1, Math.floor(place / MOST_IN_LINE), marksOf)) {
      if ('place' in each && each.place === place) return each;
    }
    const message = 'The recording has changed since it was read.';
    throw problem('bad-recording', this.source, message, 'Start the mock again.');
  }

  /** Each is valid until the next one is requested. */
  async *chunks(): AsyncGenerator<Uint8Array, void> {
    const chunk = Buffer.alloc(CHUNK);
    for (let offset = 0; ;) {
      const length = this.#isClosed ? 0 : readSync(this.#file, chunk, 0, CHUNK, offset);
      if (length === 0) return;
      offset += length;
      yield chunk.subarray(0, length);
      await new Promise(setImmediate);
    }
  }

  close(): void {
    if (!this.#isClosed) closeSync(this.#file);
    this.#isClosed = true;
  }

  #line(offset: number): Buffer | undefined {
    const parts: Buffer[] = [];
    for (let at = offset; at - offset <= LARGEST_LINE;) {
      const length = readSync(this.#file, this.#buffer, 0, CHUNK, at);
      if (length === 0) break;
      const end = this.#buffer.subarray(0, length).indexOf(LINE_FEED);
      parts.push(Buffer.from(this.#buffer.subarray(0, end < 0 ? length : end)));
      if (end >= 0) break;
      at += length;
    }
    return parts.length === 0 ? undefined : Buffer.concat(parts);
  }
}

class WholeFile implements Recording {
  readonly source: string;
  readonly #file: LinesFile;
  readonly #messages: Recorded[] = [];

  constructor(file: LinesFile, source: string) {
    this.#file = file;
    this.source = source;
  }

  async *messages(): AsyncGenerator<readonly (Recorded | Damage)[], void> {
    const damages: Damage[] = [];
    const damaged = (what: string): void => void damages.push({ line: 1, problem: what });
    const framer = new Framer(LARGEST_LINE);
    let bytes = 0;
    const chunks = withLineFeeds(inUtf8(unpacked(this.#file.chunks(), damaged), () => undefined));
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > LARGEST_WHOLE) throw tooLarge(this.source);
      yield [...this.#take(framer.push(chunk))];
    }
    yield [...this.#take(framer.end()), ...damages];
    this.#file.close();
  }

  at(place: number): Recorded {
    const found = this.#messages[place];
    if (found === undefined) throw new Error(`No message at ${place}`);
    return found;
  }

  close(): void {
    this.#file.close();
  }

  *#take(frames: ReturnType<Framer['push']>): Generator<Recorded | Damage, void> {
    for (const frame of frames) {
      if (frame.kind === 'batch') continue;
      for (const each of messagesOf(read(frame), marksOf(frame))) {
        if ('problem' in each) yield each;
        else {
          const placed = { ...each, place: this.#messages.length };
          this.#messages.push(placed);
          yield placed;
        }
      }
    }
  }
}

function tooLarge(source: string): DiagnosticError {
  const message = `The recording is no JSON Lines, and larger than ${LARGEST_WHOLE / 2 ** 20} MiB.`;
  return problem('bad-recording', source, message, 'Unpack it, and write one message on a line.');
}

function* placedIn(
  bytes: Uint8Array,
  line: number,
  offset: number,
  marked: typeof marksOf = () => undefined,
): Generator<Recorded | Damage, void> {
  let count = 0;
  const frame = { kind: 'text', line, bytes } as const;
  for (const each of messagesOf(unitsIn(bytes, line), marked(frame))) {
    if ('problem' in each || count >= MOST_IN_LINE) {
      yield { line, problem: 'problem' in each ? each.problem : 'it holds too many messages' };
      if (count >= MOST_IN_LINE) return;
    } else yield { ...each, place: offset * MOST_IN_LINE + count++ };
  }
}

function unitsIn(bytes: Uint8Array, line: number): readonly Read[] {
  if (bytes.length > LARGEST_LINE) return read({ kind: 'too-large', line });
  return read({ kind: 'text', line, bytes });
}

function isUnit(each: Read): each is Unit {
  return 'value' in each;
}

/** The units of a frame with marked numbers; undefined where no number is marked. */
function marksOf(frame: Parameters<typeof read>[0]): readonly Read[] | undefined {
  if (frame.kind !== 'text') return undefined;
  const marked = withMarkedNumbers(new TextDecoder().decode(frame.bytes));
  return marked === undefined
    ? undefined
    : read({ ...frame, bytes: new TextEncoder().encode(marked) });
}

/** The messages of units, of which a batch is several. `marked`: the same units with marked numbers. */
function* messagesOf(
  units: readonly Read[],
  marked = units,
): Generator<Omit<Recorded, 'place'> | Damage, void> {
  for (const [index, unit] of units.entries()) {
    if (!isUnit(unit)) {
      if ('problem' in unit) yield unit;
      continue;
    }
    const { value, from, line, record } = unit;
    // What a client said is compared, and not sent again.
    if (from === 'client') markAt(value, record?.masked);
    const values = listOf(value);
    const twin = marked[index];
    const sents = twin === undefined || !isUnit(twin) ? values : listOf(twin.value);
    const ms = instantOf(record?.time)?.ms;
    const session = JSON.stringify(record?.session ?? '');
    for (const [at, message] of values.entries()) {
      const sent = sents[at];
      if (isMessage(message))
        yield { message, sent: isMessage(sent) ? sent : message, from, ms, session, line };
      else yield { line, problem: 'it is no message of JSON-RPC' };
    }
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isMessage(value: unknown): value is JsonObject {
  if (!isRecord(value)) return false;
  return typeof value['method'] === 'string' || 'result' in value || isRecord(value['error']);
}
