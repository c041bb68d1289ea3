import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * The links, images, styles and scripts of a built site that lead nowhere, also those to a place in a page. Links to
 * other hosts are not followed.
 *
 * @param base the path of the site at its host.
 */
export function brokenLinks(folder: string, base = '/'): string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.html'))
    .sort();
  const places = new Map(
    pages.map((page) => [page, idsIn(readFileSync(join(folder, page), 'utf8'))]),
  );
  return pages.flatMap((page) => {
    const text = readFileSync(join(folder, page), 'utf8');
    return [...new Set(targetsIn(text))]
      .filter((target) => !leadsToPlace(target, page, { folder, base, places }))
      .map((target) => `${page} links to ${target}, which does not exist.`);
  });
}

interface Site {
  readonly folder: string;
  readonly base: string;
  /** The ids of each page. */
  readonly places: ReadonlyMap<string, ReadonlySet<string>>;
}

function leadsToPlace(target: string, page: string, { folder, base, places }: Site): boolean {
  if (/^[a-z][a-z+.-]*:|^\/\//i.test(target)) return true;
  const [path = '', fragment = ''] = target.split('#');
  const file = path === '' ? page : fileAt(folder, pathBelow(base, path, page));
  if (file === undefined) return false;
  if (fragment === '') return true;
  const ids = places.get(file);
  return ids !== undefined && (ids.has(fragment) || ids.has(decoded(fragment) ?? fragment));
}

/** The path below the folder of the site; above it when the link leaves the site. */
function pathBelow(base: string, path: string, page: string): string {
  if (path.startsWith('/')) return path.startsWith(base) ? path.slice(base.length) : '../';
  return posix.join(posix.dirname(page), path);
}

/** As hosts of static sites have it: `docs/` is `docs/index.html`, and `docs/tasks` is `docs/tasks.html`. */
function fileAt(folder: string, path: string): string | undefined {
  const name = decoded(path);
  if (name === undefined || name.startsWith('..')) return undefined;
  return [name, `${name}.html`, posix.join(name, 'index.html')].find(
    (each) => existsSync(join(folder, each)) && statSync(join(folder, each)).isFile(),
  );
}

/** Undefined for what no browser can decode either. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', '#39': "'", lt: '<' };
const unescaped = (text: string): string =>
  text.replace(/&(amp|quot|#39|lt);/g, (_, name: string) => ENTITIES[name] ?? '');

const targetsIn = (text: string): string[] =>
  [...text.matchAll(/<(?:a|link|img|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(
    ([, target = '']) => unescaped(target),
  );

const idsIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => unescaped(id)));
