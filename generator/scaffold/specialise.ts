import { fold } from './fold.js';
import { pruneImports } from './prune.js';
import type { Features } from './template.js';
import { keepWhen } from './when.js';

/** A TypeScript file for these features, formatted if it changed. */
export function specialise(text: string, features: Features): string {
  const folded = fold(keepWhen(text, features), features);
  return folded === text ? text : pruneImports(folded);
}

const OPEN = /^\s*(?:<!--|#) @when((?: [\w.-]+)+)(?: -->)?\s*$/;
const CLOSE = /^\s*(?:<!--|#) @end(?: -->)?\s*$/;

/**
 * The same for other languages: removes the lines between `# @when <feature>` and `# @end`, or the same
 * in `<!-- -->`, unless the feature is chosen.
 *
 * @throws for a mark without its other half.
 */
export function specialiseLines(text: string, features: Features): string {
  const kept: string[] = [];
  const held: boolean[] = [];
  for (const line of text.split('\n')) {
    const [, words] = OPEN.exec(line) ?? [];
    if (words)
      held.push(
        words
          .trim()
          .split(' ')
          .every((word) => features.has(word)),
      );
    else if (CLOSE.test(line)) {
      if (held.pop() === undefined) throw new Error('@end without @when');
    } else if (!held.includes(false)) kept.push(line);
  }
  if (held.length > 0) throw new Error('@when without @end');
  return kept.join('\n').replace(/\n{3,}/g, '\n\n');
}
