import { write, writeSync } from 'node:fs';

import type { AuditEvent, AuditSink } from '../tasks/index.js';

/** Bytes that may wait for a slow reader before events are dropped. */
const LONGEST_QUEUE = 2 ** 20;
const RETRY_MS = 20;
const STANDARD_ERROR = 2;

/**
 * Writes audit events as lines of JSON to a file descriptor, standard error by default; `at` becomes
 * ISO 8601. The platform rotates the file.
 *
 * Never blocks: beyond 1 MiB of unread lines, events are dropped, and the next line that is written has their
 * number. Faults are left out, because the server reports them itself, at a bounded rate.
 */
export function auditLines(descriptor = STANDARD_ERROR): AuditSink {
  let queue: Buffer[] = [];
  let queued = 0;
  let dropped = 0;
  let writing = false;

  function push(entry: object): void {
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
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

  process.once('exit', () => {
    try {
      if (queue.length > 0) writeSync(descriptor, Buffer.concat(queue));
    } catch {
      // The reader has closed the pipe.
    }
  });

  return (event: AuditEvent) => {
    if (event.type === 'fault') return;
    if (queued > LONGEST_QUEUE) {
      dropped += 1;
      return;
    }
    if (dropped > 0)
      push({ type: 'dropped', at: new Date(event.at).toISOString(), events: dropped });
    dropped = 0;
    push({ ...event, at: new Date(event.at).toISOString() });
  };
}
