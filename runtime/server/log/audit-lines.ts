import { write, writeSync } from 'node:fs';

import type { AuditSink } from '../../tasks/index.js';
import { countRefusals } from './log.js';

/**
 * Writes audit events as lines of JSON to a file descriptor, standard error by default; `at` becomes
 * ISO 8601. For servers without a logger: the option `log` writes them too.
 *
 * Never blocks: see `lineWriter`. Faults are left out, because the server reports them itself, at a bounded
 * rate. Refusals without an owner are written at once, and then every 10 s with a count (`times`).
 */
export function auditLines(descriptor?: number): AuditSink {
  const lines = lineWriter(descriptor, (events) => ({
    type: 'dropped',
    at: new Date().toISOString(),
    events,
  }));
  return countRefusals((event) => {
    if (event.type === 'fault') return;
    lines.write(`${JSON.stringify({ ...event, at: new Date(event.at).toISOString() })}\n`);
  });
}

/** Bytes that may wait for a slow reader before lines are dropped. */
const LONGEST_QUEUE = 2 ** 20;
const RETRY_MS = 20;
const STANDARD_ERROR = 2;

/** A destination for lines, as loggers such as pino take it. */
export interface LineWriter {
  /** Writes a line that ends in a line feed. */
  write(line: string): void;
}

/** The line that says how many were dropped. */
type DroppedLine = (lines: number) => object;

const DROPPED: DroppedLine = (lines) => ({
  level: 'warn',
  time: new Date().toISOString(),
  event: 'dropped',
  lines,
  msg: 'Lines were dropped, because they were read too slowly',
});

/**
 * Writes lines of JSON to a file descriptor, standard error by default. The platform rotates the file.
 *
 * Never blocks: beyond 1 MiB of unread lines, lines are dropped, and the next line that is written has their
 * number. In every line, credentials after `Bearer` and `Basic` are replaced, and characters that could
 * control a terminal are escaped.
 */
export function lineWriter(descriptor = STANDARD_ERROR, droppedLine = DROPPED): LineWriter {
  let queue: Buffer[] = [];
  let queued = 0;
  let dropped = 0;
  let writing = false;

  function push(text: string): void {
    const line = Buffer.from(harmless(text));
    queue.push(line);
    queued += line.length;
    if (!writing) flush();
  }

  function flush(): void {
    if (queue.length === 0) return;
    const batch = Buffer.concat(queue);
    queue = [];
    writing = true;
    writeAll(batch);
  }

  function writeAll(rest: Buffer): void {
    write(descriptor, rest, (error, written) => {
      // The pipe is full, because its reader is slow. Writing must not block.
      if (error?.code === 'EAGAIN') return void setTimeout(() => writeAll(rest), RETRY_MS).unref();
      const left = error ? Buffer.alloc(0) : rest.subarray(written);
      queued -= error ? rest.length : written;
      if (left.length > 0) return writeAll(left);
      writing = false;
      flush();
    });
  }

  atExit({
    isBusy: () => writing,
    end() {
      if (queue.length > 0) writeSync(descriptor, Buffer.concat(queue));
    },
  });

  return {
    write(line) {
      if (queued > LONGEST_QUEUE) {
        dropped += 1;
        return;
      }
      if (dropped > 0) push(`${JSON.stringify(droppedLine(dropped))}\n`);
      dropped = 0;
      push(line);
    },
  };
}

interface Ending {
  readonly isBusy: () => boolean;
  readonly end: () => void;
}

const endings: Ending[] = [];

/** One listener for all writers, because Node warns of more than ten. */
function atExit(ending: Ending): void {
  if (endings.length === 0) process.once('exit', () => endings.forEach(attempt));
  endings.push(ending);
}

const PAUSE_MS = 5;

/**
 * Resolves when all lines have been written, at the latest after half a second. Before the process exits: what is being
 * written then may come after what is written at the exit.
 */
export async function linesWritten(): Promise<void> {
  const end = performance.now() + 500;
  while (endings.some(({ isBusy }) => isBusy()) && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function attempt({ end }: Ending): void {
  try {
    end();
  } catch {
    // The reader has closed the pipe.
  }
}

/** JSON escapes ASCII's control characters only. */
const CONTROLS = /[\u007f-\u009f]|\p{Cf}|\p{Zl}|\p{Zp}/gu;
const CREDENTIALS = /\b(bearer|basic)(\s+)[\w.~+/=-]{4,}/gi;

function harmless(line: string): string {
  return line.replace(CREDENTIALS, '$1$2[redacted]').replace(CONTROLS, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      const unit = character.charCodeAt(index).toString(16).padStart(4, '0');
      return `\\u${unit}`;
    }).join(''),
  );
}
