import { expect, it } from 'vitest';
import { sayDuration } from '../../pages/toolkit/words.js';

it.each([
  [0, '0 ms'],
  [0.0005, '0.5 µs'],
  [0.5, '500 µs'],
  [1, '1 ms'],
  [-2, '-2 ms'],
  [1_234.5, '1.23 s'],
  [90_000, '1.5 min'],
  [5_400_000, '1.5 h'],
])('a duration of %d milliseconds reads %s', (ms, text) => {
  expect(sayDuration(ms)).toBe(text);
});
