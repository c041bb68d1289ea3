import { META_KEYS, METHODS } from '../../protocol/index.js';
import type { JsonObject } from '../../tasks/index.js';
import { at } from '../../wire/json.js';

/** Bytes that a reader takes at once, so that the bytes it has not taken are counted. */
export const SLICE = 2 ** 16;

/** Frames that wait for a reader, in the order in which they were sent. */
export interface FrameQueue {
  /** In bytes. */
  readonly waiting: number;
  /**
   * Adds a frame. When a reader is more than `SLICE` bytes behind, the frame takes the place of an earlier one
   * with the same key: `keyOf` is called then only.
   */
  push(frame: Uint8Array, keyOf: () => string | undefined): void;
  /** The next frames as one piece of at most `SLICE` bytes, or a part of a longer frame. */
  shift(): Uint8Array | undefined;
  clear(): void;
}

export function createFrameQueue(): FrameQueue {
  // A frame without a key has a number instead.
  const frames = new Map<string | number, Uint8Array>();
  /** The end of a frame whose beginning was taken. */
  let rest: Uint8Array | undefined;
  let waiting = 0;
  let pushed = 0;

  function remove(key: string): void {
    waiting -= frames.get(key)?.byteLength ?? 0;
    frames.delete(key);
  }

  function part(frame: Uint8Array): Uint8Array {
    rest = frame.byteLength > SLICE ? frame.subarray(SLICE) : undefined;
    return frame.subarray(0, SLICE);
  }

  /** Whole frames, as many as fit. */
  function together(): Uint8Array | undefined {
    const taken: Uint8Array[] = [];
    let size = 0;
    for (const [key, frame] of frames) {
      if (taken.length > 0 && size + frame.byteLength > SLICE) break;
      frames.delete(key);
      taken.push(frame);
      size += frame.byteLength;
    }
    const [first] = taken;
    if (first === undefined) return undefined;
    return taken.length === 1 ? part(first) : Buffer.concat(taken, size);
  }

  return {
    get waiting() {
      return waiting;
    },
    push(frame, keyOf) {
      const key = waiting > SLICE ? keyOf() : undefined;
      if (key !== undefined) remove(key);
      frames.set(key ?? (pushed += 1), frame);
      waiting += frame.byteLength;
    },
    shift() {
      const piece = rest === undefined ? together() : part(rest);
      waiting -= piece?.byteLength ?? 0;
      return piece;
    },
    clear() {
      frames.clear();
      rest = undefined;
      waiting = 0;
    },
  };
}

/** What tells the notifications of a method apart. Of those that are equal in it, only the last one matters. */
const TOLD_APART_BY: Readonly<Record<string, string | undefined>> = {
  [METHODS.notificationsTasksStatus]: 'taskId',
  [METHODS.notificationsTasks]: 'taskId',
  [METHODS.notificationsProgress]: 'progressToken',
  [METHODS.notificationsResourcesUpdated]: 'uri',
};

const LIST_CHANGED = /\/list_changed$/;

/**
 * The key of a notification that makes earlier ones with the same key superfluous: the state of a task, the
 * progress of a request, a list that has changed. Undefined for every other message.
 */
export function supersedingKey(message: JsonObject): string | undefined {
  const { id, method } = message;
  if (typeof method !== 'string' || id !== undefined) return undefined;
  const name = TOLD_APART_BY[method];
  if (name === undefined && !LIST_CHANGED.test(method)) return undefined;
  const told = name && at(message, ['params', name]);
  if (name !== undefined && typeof told !== 'string' && typeof told !== 'number') return undefined;
  return JSON.stringify([method, told, at(message, ['params', '_meta', META_KEYS.subscriptionId])]);
}
