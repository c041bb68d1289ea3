import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { titleOf } from './markdown.js';

/** The index of all pages. Their order in the sidebar and in `llms.txt` is the order here. */
const INDEX = 'docs/README.md';
const DECISIONS = 'docs/decisions/README.md';

export interface Entry {
  /** From the root of the repository: `docs/servers.md`. */
  readonly path: string;
  /** The heading of the page. */
  readonly title: string;
  /** What the index says about it, as inline Markdown. */
  readonly purpose: string;
}

export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

export interface Contents {
  /** One for each heading of the index. */
  readonly sections: readonly Section[];
  readonly decisions: readonly Entry[];
}

export function readContents(root: string): Contents {
  const [, ...parts] = readFileSync(join(root, INDEX), 'utf8').split(/^## /m);
  return {
    sections: parts.map((part) => ({
      title: part.slice(0, part.indexOf('\n')),
      entries: [...part.matchAll(/^\| +(.+?) +\| \[[^\]]+\]\(([^)]+)\) +\|$/gm)].map(
        ([, purpose = '', target = '']) => entryOf(root, INDEX, target, purpose),
      ),
    })),
    decisions: [
      ...readFileSync(join(root, DECISIONS), 'utf8').matchAll(/^- \[[^\]]+\]\(([^)]+)\): (.+)$/gm),
    ].map(([, target = '', purpose = '']) => entryOf(root, DECISIONS, target, purpose)),
  };
}

function entryOf(root: string, from: string, target: string, purpose: string): Entry {
  const path = posix.join(posix.dirname(from), target);
  return { path, title: titleOf(readFileSync(join(root, path), 'utf8')), purpose };
}
