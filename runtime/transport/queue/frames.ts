import { META_KEYS, METHODS } from '../../protocol.js';
import type { JsonObject } from '../../tasks/index.js';
import { at } from '../../peer/wire/json.js';

/** Characters that a reader takes at once, so that those it has not taken are counted. */
export const SLICE = 2 ** 16;

/** Frames from which on the gaps between them are closed. */
const SOME = 256;

/** Texts that wait for a reader, in the order in which they were sent. */
export class Frames {
  /** In characters: a text takes one or two bytes for each, in UTF-8 up to three. */
  waiting = 0;
  /** Empty where a frame was taken or replaced. */
  #frames: string[] = [];
  /** Of the first frame that was not taken. */
  #next = 0;
  #live = 0;
  /** Where the last frame of each key is. */
  readonly #places = new Map<string, number>();
  /** The end of a frame whose beginning was taken. */
  #rest = '';

  /**
   * Adds a frame. When the reader is more than `SLICE` behind, the frame takes the place of an earlier one with the same
   * key. Returns whether it did. `keyOf` is called then only.
   */
  push<M>(frame: string, keyOf: (message: M) => string | undefined, message: M): boolean {
    const key = this.waiting > SLICE ? keyOf(message) : undefined;
    const replaces = key !== undefined && this.#remove(key);
    if (key !== undefined) this.#places.set(key, this.#frames.length);
    this.#frames.push(frame);
    this.#live += 1;
    this.waiting += frame.length;
    if (this.#frames.length >= SOME && this.#frames.length > 2 * this.#live) this.#closeGaps();
    return replaces;
  }

  /** The next frames as one text of at most `SLICE` characters, or a part of a longer frame. */
  take(): string | undefined {
    const text = this.#rest === '' ? this.#together() : this.#rest;
    if (text === '') return undefined;
    const end = text.length > SLICE ? cutOf(text) : text.length;
    this.#rest = text.slice(end);
    this.waiting -= end;
    return text.slice(0, end);
  }

  clear(): void {
    this.#empty();
    this.#rest = '';
    this.waiting = 0;
  }

  #remove(key: string): boolean {
    const place = this.#places.get(key);
    const earlier = place === undefined ? '' : (this.#frames[place] ?? '');
    if (place === undefined || earlier === '') return false;
    this.#frames[place] = '';
    this.#live -= 1;
    this.waiting -= earlier.length;
    return true;
  }

  /** Whole frames, as many as fit. */
  #together(): string {
    let text = '';
    for (; this.#next < this.#frames.length; this.#next += 1) {
      const frame = this.#frames[this.#next] ?? '';
      if (frame === '') continue;
      if (text !== '' && text.length + frame.length > SLICE) return text;
      text += frame;
      this.#frames[this.#next] = '';
      this.#live -= 1;
    }
    this.#empty();
    return text;
  }

  #empty(): void {
    this.#frames = [];
    this.#next = this.#live = 0;
    if (this.#places.size > 0) this.#places.clear();
  }

  #closeGaps(): void {
    const keys = new Map(Array.from(this.#places, ([key, place]) => [place, key]));
    const frames = this.#frames;
    this.#places.clear();
    this.#frames = [];
    this.#next = 0;
    for (const [place, frame] of frames.entries()) {
      if (frame === '') continue;
      const key = keys.get(place);
      if (key !== undefined) this.#places.set(key, this.#frames.length);
      this.#frames.push(frame);
    }
  }
}

/** Where a long text is cut: not between the halves of a character. */
function cutOf(text: string): number {
  const unit = text.charCodeAt(SLICE - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? SLICE - 1 : SLICE;
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
  const name = Object.hasOwn(TOLD_APART_BY, method) ? TOLD_APART_BY[method] : undefined;
  if (name === undefined && !LIST_CHANGED.test(method)) return undefined;
  const told = name && at(message, ['params', name]);
  if (name !== undefined && typeof told !== 'string' && typeof told !== 'number') return undefined;
  return JSON.stringify([method, told, at(message, ['params', '_meta', META_KEYS.subscriptionId])]);
}
