import { GrowingBytes } from './growing-bytes.js';

/** What event streams are made of, in the bytes of UTF-8. */
const LF = 10;
const CR = 13;
const COLON = 58;
const SPACE = 32;
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Milliseconds that a server may ask a client to wait before it resumes a stream. */
const SHORTEST_WAIT = 100;
const LONGEST_WAIT = 60_000;

export interface EventListener {
  event(event: { readonly type: string; readonly data: Uint8Array }): void;
  /** The id of the last event, for `Last-Event-ID`. */
  id?(id: string): void;
  /** The delay before the stream is resumed. One below 100 ms or above a minute is left out. */
  retry?(ms: number): void;
  /** An event exceeds the bound; `begun` is the beginning of its data. If this returns, the event is left out. */
  tooLong(begun: Uint8Array): void;
}

/**
 * Reads an event stream (WHATWG HTML, server-sent events). Comments of any length are dropped. The function that it returns
 * takes bytes. An event that the end of the stream cuts does not count.
 */
export function eventReader(most: number, listener: EventListener): (chunk: Uint8Array) => void {
  let line = new GrowingBytes();
  let data: GrowingBytes | undefined;
  let type = '';
  let id: string | undefined;
  /** Bytes of the lines of the event. */
  let size = 0;
  let isLeftOut = false;
  let isFirst = true;
  let isComment = false;
  let endedWithCr = false;

  function end(): void {
    // That of an event that is cut off does not count.
    if (id !== undefined) listener.id?.(id);
    id = undefined;
    if (data !== undefined) listener.event({ type: type || 'message', data: data.whole() });
    data = undefined;
    type = '';
    size = 0;
    isLeftOut = false;
  }

  function field(bytes: Uint8Array): void {
    const colon = bytes.indexOf(COLON);
    const name = UTF_8.decode(colon < 0 ? bytes : bytes.subarray(0, colon));
    const value = valueOf(bytes, colon);
    if (name === 'data') {
      if (isLeftOut) return;
      if (data === undefined) data = new GrowingBytes();
      else data.add(Uint8Array.of(LF));
      data.add(value);
    } else if (name === 'event') type = UTF_8.decode(value);
    else if (name === 'id' && value.length > 0 && !value.includes(0)) {
      id = UTF_8.decode(value);
    } else if (name === 'retry') {
      const ms = /^\d{1,9}$/.exec(UTF_8.decode(value))?.[0];
      if (Number(ms) >= SHORTEST_WAIT && Number(ms) <= LONGEST_WAIT) listener.retry?.(Number(ms));
    }
  }

  function endLine(): void {
    const bytes = withoutMark(line.whole());
    if (bytes.length === 0 && !isComment) end();
    else if (!isComment && bytes[0] !== COLON) {
      size += bytes.length;
      field(bytes);
    }
    line = new GrowingBytes();
    isComment = isFirst = false;
  }

  function withoutMark(bytes: Uint8Array): Uint8Array {
    const isMarked = isFirst && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    return isMarked ? bytes.subarray(3) : bytes;
  }

  function add(part: Uint8Array): void {
    if (part.length === 0 || isComment) return;
    if (line.length === 0 && part[0] === COLON) isComment = true;
    // Of an event that is left out, a line needs no more than its beginning.
    else if (!isLeftOut || line.length === 0) line.add(part);
    if (isLeftOut || size + line.length <= most) return;
    isLeftOut = true;
    const begun = data?.whole() ?? valueOf(line.whole(), line.whole().indexOf(COLON));
    data = undefined;
    listener.tooLong(begun);
  }

  return (chunk) => {
    let at = endedWithCr && chunk[0] === LF ? 1 : 0;
    if (chunk.length > 0) endedWithCr = chunk.at(-1) === CR;
    let cr = chunk.indexOf(CR, at);
    for (let lf = chunk.indexOf(LF, at); lf >= 0 || cr >= 0;) {
      const next = lf < 0 || (cr >= 0 && cr < lf) ? cr : lf;
      add(chunk.subarray(at, next));
      endLine();
      at = next === cr && lf === cr + 1 ? next + 2 : next + 1;
      if (lf >= 0 && lf < at) lf = chunk.indexOf(LF, at);
      if (cr >= 0 && cr < at) cr = chunk.indexOf(CR, at);
    }
    add(chunk.subarray(at));
  };
}

/** What is behind the colon of a field, and one space. */
function valueOf(line: Uint8Array, colon: number): Uint8Array {
  const start = colon < 0 ? line.length : colon + (line[colon + 1] === SPACE ? 2 : 1);
  return line.subarray(start);
}
