import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Words that the texts of this repository avoid, with the words to use instead. */
const AVOIDED: ReadonlyMap<RegExp, string> = new Map([
  [/\bwhoever\b/i, 'name the agent: client, server, user, caller'],
  [/(?<!['"`])\b(nobody|somebody)\b(?!['"`])/i, 'name the agent: client, server, user, caller'],
  [/\bthe like\b/i, 'name the things'],
  [/\b(hears of|is told of)\b/i, 'gets, receives'],
  [/\bby none of\b/i, 'not … any'],
  [/\bfor want of\b/i, 'because … is missing'],
  [/\bnone of the choices\b/i, 'Unknown value …'],
  [/\bcomplaints?\b/i, 'error, problem, diagnostic'],
  [/\b(agenda|census|courier)\b/i, 'timer queue, counts, sender'],
  [/\brerunnable\b/i, 'retryable'],
  [/\bperEra\b/, 'dialect'],
]);

/**
 * Paths where these words are allowed, each with its reason. Remove an entry when its reason no longer
 * holds.
 */
const ALLOWED: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^test\/words\.test\.ts$/, 'lists the words'],
  [/^(generated|schema)\//, 'descriptions have tests of their own'],
];

const FOLDERS = [
  '.changeset',
  'bench',
  'cli',
  'contracts',
  'create',
  'docs',
  'examples',
  'generator',
  'pages',
  'runtime',
  'scripts',
  'templates',
  'test',
];

const checked = [
  ...readdirSync(root),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path}`,
    ),
  ),
]
  .filter((path) => /\.(md|tsx?)$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
  .filter((path) => !ALLOWED.some(([allowed]) => allowed.test(path)));

/** Each avoided word as `path:line: word → better words`. */
function avoidedIn(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    [...AVOIDED].flatMap(([word, better]) => {
      const found = word.exec(line)?.[0];
      return found === undefined ? [] : [`${path}:${String(index + 1)}: ${found} → ${better}`];
    }),
  );
}

describe('the words of this repository', () => {
  it('are those of the field', () => {
    expect(checked.length).toBeGreaterThan(300);
    const found = checked.flatMap((path) =>
      avoidedIn(path, readFileSync(join(root, path), 'utf8')),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ['Whoever waits is woken', 1],
    ['a complaint, and the like', 2],
    ["{ owner: 'nobody' }", 0],
    ['The client waits', 0],
  ])('are checked: %j', (text, count) => {
    expect(avoidedIn('page.md', text)).toHaveLength(count);
  });
});
