import { textAt } from '../validate/index.js';
import type { Party } from '../validate/index.js';
import { intercepted } from './intercepted.js';
import type { AnyTransport } from './intercepted.js';
import { openRecording } from './recording.js';
import type { Recording, RecordingOptions } from './recording.js';

export interface RecordedOptions extends RecordingOptions {
  /** A new file, or a recording that several transports share. */
  readonly file: string | Recording;
  /** The side whose transport this is (default: `client`). */
  readonly side?: Party;
}

/**
 * A transport whose messages are recorded: one of the official SDK of either version, for a client or a server, or
 * another with its interface.
 *
 * ```ts
 * await client.connect(recorded(transport, { file: 'session.jsonl' }));
 * ```
 *
 * A file of its own is closed with the transport, and continued when the transport is started again.
 *
 * @throws {RecordingError} when the file exists already, or cannot be written.
 */
export function recorded<T extends AnyTransport>(transport: T, options: RecordedOptions): T {
  const { file, side = 'client' } = options;
  const other: Party = side === 'client' ? 'server' : 'client';
  let recording = typeof file === 'string' ? openRecording(file, options) : file;
  let session = 0;
  let isClosed = false;
  return intercepted(transport, {
    start() {
      if (isClosed && typeof file === 'string') {
        recording = openRecording(file, { ...options, append: true });
      }
      isClosed = false;
      session += 1;
      if (typeof file !== 'string') session = recording.begin();
    },
    send(message, pass) {
      // Before it is sent, because its answer may arrive first.
      recording.write({ from: side, session, message });
      return pass(message);
    },
    receive(message, pass, _back, extra) {
      const json = textAt(extra, 'json');
      recording.write({ from: other, session, message, json });
      pass(message);
    },
    closed() {
      if (typeof file === 'string' && !isClosed) recording.close();
      isClosed = true;
    },
  });
}
