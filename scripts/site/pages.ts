import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import { mapLinks } from './markdown.js';

/** What the site shows of the repository. */
export interface Collected {
  /** The Markdown of each page by its path on the site: `docs/index.md`. */
  readonly pages: ReadonlyMap<string, string>;
  /** The files of the repository that are images of the pages. */
  readonly images: readonly string[];
  /** All files that the site shows, by their paths in the repository. */
  readonly files: readonly string[];
}

const IMAGES: ReadonlySet<string> = new Set(['.svg', '.png']);

/**
 * The pages at `starts`, and every file that a page links to, so that the site needs no other host: Markdown as
 * pages, other text as pages of code.
 *
 * @throws {Error} when a page links to a file that does not exist.
 */
export function collectPages(root: string, starts: readonly string[]): Collected {
  const pages = new Map<string, string>();
  const images: string[] = [];
  const files = new Set(starts);
  for (const file of files) {
    if (IMAGES.has(extname(file))) {
      images.push(file);
      continue;
    }
    const text = readFileSync(join(root, file), 'utf8');
    const page = sitePathOf(file);
    const linked = (target: string): string => {
      const [path = '', ...anchor] = target.split('#');
      if (path === '' || /^[a-z]+:/i.test(path)) return target;
      const found = fileAt(root, posix.join(posix.dirname(file), path));
      if (found === undefined) throw new Error(`${file} links to ${path}, which does not exist.`);
      files.add(found);
      return [relativeTo(page, sitePathOf(found)), ...anchor].join('#');
    };
    pages.set(page, file.endsWith('.md') ? mapLinks(text, linked) : codePage(file, text));
  }
  return { pages, images, files: [...files] };
}

/** A folder stands for its README.md. */
function fileAt(root: string, path: string): string | undefined {
  if (path.startsWith('..') || !existsSync(join(root, path))) return undefined;
  if (!statSync(join(root, path)).isDirectory()) return path;
  return fileAt(root, posix.join(path, 'README.md'));
}

/** `docs/README.md` → `docs/index.md`, `generator/plan/job.ts` → `source/generator/job-ts.md`. */
export function sitePathOf(file: string): string {
  if (IMAGES.has(extname(file))) return file;
  if (file.endsWith('.md')) return file.replace(/(^|\/)README\.md$/, '$1index.md');
  return `source/${file.replaceAll(/\.(?=[^/]*$)/g, '-')}.md`;
}

function relativeTo(page: string, target: string): string {
  const path = posix.relative(posix.dirname(page), target);
  return path.startsWith('.') ? path : `./${path}`;
}

function codePage(file: string, text: string): string {
  const ticks = [...text.matchAll(/`{3,}/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(3, ...ticks.map((length) => length + 1)));
  const language = extname(file).slice(1);
  return `---\noutline: false\nsearch: false\n---\n\n# ${file}\n\n${fence}${language}\n${text.trimEnd()}\n${fence}\n`;
}
