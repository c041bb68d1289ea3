import { expect, it } from 'vitest';
import { paintFor } from '../../cli/io.js';
import { COLOURED, PLAIN } from '../../generator/diagnostics/index.js';

it.each<[string, boolean, Record<string, string>, boolean, boolean]>([
  ['a terminal', true, {}, false, true],
  ['a pipe', false, {}, false, false],
  ['a terminal under NO_COLOR', true, { NO_COLOR: '1' }, false, false],
  ['a terminal under an empty NO_COLOR', true, { NO_COLOR: '' }, false, true],
  ['a dumb terminal', true, { TERM: 'dumb' }, false, false],
  ['a pipe under FORCE_COLOR', false, { FORCE_COLOR: '1' }, false, true],
  [
    'a pipe under FORCE_COLOR and NO_COLOR',
    false,
    { FORCE_COLOR: '1', NO_COLOR: '1' },
    false,
    true,
  ],
  ['a terminal under FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false, false],
  ['anything under --no-color', true, { FORCE_COLOR: '1' }, true, false],
])('colours for %s', (_, isTerminal, environment, noColor, coloured) => {
  expect(paintFor(isTerminal, environment, noColor)).toBe(coloured ? COLOURED : PLAIN);
});
