/**
 * Bounds the bytes of all request bodies together that have come in part. When they are too many, the body that began
 * the longest time ago is refused: a client that holds on to memory sends slowly, and must not keep others out.
 */
import { ConfigError } from './start-failure.js';

export interface Receiving {
  /** Begins a body. `refuse` is called when it has to make room for others; it is closed then. */
  open(refuse: () => void): PartialBody;
}

export interface PartialBody {
  /** Does nothing when the body is closed. */
  add(part: Uint8Array): void;
  /** All parts. Closes the body. */
  whole(): Uint8Array;
  /** Drops what has come. */
  close(): void;
}

export function createReceiving(most: number): Receiving {
  // The one that began first is first. Entries that were deleted refer to nothing.
  const open = new Set<Entry>();
  let total = 0;

  function remove(entry: Entry): void {
    if (!open.delete(entry)) return;
    total -= entry.parts.size;
    entry.parts = NOTHING;
    entry.refuse = ignore;
  }

  function makeRoom(): void {
    for (const entry of open) {
      if (total <= most) return;
      const { refuse } = entry;
      remove(entry);
      refuse();
    }
  }

  return {
    open(refuse) {
      const entry: Entry = { parts: new Parts(), refuse };
      open.add(entry);
      return {
        add(part) {
          if (!open.has(entry)) return;
          entry.parts.add(part);
          total += part.byteLength;
          makeRoom();
        },
        whole() {
          const bytes = entry.parts.joined();
          remove(entry);
          return bytes;
        },
        close: () => remove(entry),
      };
    },
  };
}

const DEFAULT_MOST = 64 * 2 ** 20;

/** @throws {ConfigError} for a bound that the largest body exceeds. */
export function mostReceived(given: number | undefined, maxBodyBytes: number): number {
  const most = given ?? Math.max(DEFAULT_MOST, maxBodyBytes);
  if (most >= maxBodyBytes) return most;
  throw new ConfigError(
    `maxReceivingBytes: ${most} is less than maxBodyBytes (${maxBodyBytes}), so no body of that size could be received`,
  );
}

interface Entry {
  parts: Parts;
  refuse: () => void;
}

function ignore(): void {
  // The body is closed.
}

const EMPTY = Buffer.alloc(0);

/** Bytes in one buffer, of up to twice their number: a buffer for each part would take a hundred times a small one. */
class Parts {
  size = 0;
  /** The first part as it came, then a copy with room for more. */
  #buffer: Uint8Array = EMPTY;

  add(part: Uint8Array): void {
    const size = this.size + part.byteLength;
    if (this.size === 0) this.#buffer = part;
    else this.#append(part, size);
    this.size = size;
  }

  joined(): Uint8Array {
    return this.#buffer.subarray(0, this.size);
  }

  #append(part: Uint8Array, size: number): void {
    if (size > this.#buffer.byteLength) {
      const larger = Buffer.allocUnsafeSlow(Math.max(size, 2 * this.#buffer.byteLength));
      larger.set(this.joined());
      this.#buffer = larger;
    }
    this.#buffer.set(part, this.size);
  }
}

const NOTHING = new Parts();
