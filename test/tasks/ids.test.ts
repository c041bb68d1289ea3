import { describe, expect, it } from 'vitest';
import { isTaskId, newTaskId } from '../../runtime/tasks/ids.js';

describe('an id', () => {
  it('begins with the time of creation, and then the place in its millisecond', () => {
    const at = 1_700_000_000_777;
    const [first, second] = [newTaskId(at), newTaskId(at)];
    const other = newTaskId(at + 1);
    for (const id of [first, second]) expect(Number.parseInt(id.slice(0, 11), 16)).toBe(at);
    expect(Number.parseInt(other.slice(0, 11), 16)).toBe(at + 1);
    const place = (id: string): number => Number.parseInt(id.slice(11, 14), 16);
    expect(place(second)).toBe(place(first) + 1);
    expect(new Set([first, second, other].map((id) => id.length))).toEqual(new Set([38]));
  });

  it('has a place that begins at random, in steps of eight', () => {
    const places = Array.from({ length: 300 }, (_, n) =>
      Number.parseInt(newTaskId(1_800_000_000_000 + n).slice(11, 14), 16),
    );
    expect(places.every((place) => place % 8 === 0 && place <= 255 * 8)).toBe(true);
    expect(new Set(places).size).toBeGreaterThan(100);
  });

  it('has a random part of all 64 characters, which never comes again', () => {
    const parts = Array.from({ length: 1_000 }, (_, n) => newTaskId(n).slice(14));
    expect(new Set(parts).size).toBe(1_000);
    expect(new Set(parts.join('')).size).toBe(64);
    for (let at = 0; at < 24; at += 1) {
      expect(new Set(parts.map((part) => part[at])).size).toBeGreaterThan(50);
    }
  });

  it.each([
    ['a', true],
    ['Az09_-', true],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
    ['', false],
    ['a b', false],
    ['a\n', false],
    ['ü', false],
    [7, false],
    [undefined, false],
  ])('may be %j: %s', (value, expected) => {
    expect(isTaskId(value)).toBe(expected);
  });
});
