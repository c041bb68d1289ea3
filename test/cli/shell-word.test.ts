import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shellWord } from '../../cli/shell.js';
import { sized } from '../support/size.js';

const ODD = [
  '~',
  '~root',
  '=x',
  "it's",
  'a b',
  '$HOME',
  '`id`',
  '!x',
  '#x',
  'a;b',
  '*',
  '{a,b}',
  '\\',
];

it('is one word of a shell, with any text', () => {
  const drawn = fc.sample(fc.string({ minLength: 1 }), { numRuns: sized(300), seed: 1 });
  const texts = [...ODD, ...drawn.filter((text) => !/[\0\n]/.test(text))];
  const script = `printf '%s\\n' ${texts.map(shellWord).join(' ')}`;
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8', cwd: '/' });
  expect(stdout.split('\n').slice(0, -1)).toEqual(texts);
});
