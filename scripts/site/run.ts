/**
 * `npm run site` writes the site to `.cache/site/html`, and fails when a link of it leads nowhere. `npm run site:dev`
 * serves it, and follows changes of the pages. `SITE_BASE` is its path at its host.
 */
import { cpSync, mkdirSync, rmSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, createServer } from 'vitepress';
import { brokenLinks } from './links.js';
import { readContents } from './contents.js';
import { collectPages } from './pages.js';
import { referencePages } from './reference.js';
import { writePages } from './write.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = join(ROOT, '.cache/site/pages');
const HTML = join(ROOT, '.cache/site/html');
const SITE = join(ROOT, 'scripts/site');

/** Writes what VitePress reads. Returns the files of the repository that are shown. */
async function prepare(): Promise<readonly string[]> {
  const { sections, decisions } = readContents(ROOT);
  const listed = [...sections.flatMap(({ entries }) => entries), ...decisions];
  const starts = [
    'README.md',
    'docs/README.md',
    'schema/README.md',
    ...listed.map(({ path }) => path),
  ];
  const { pages, images, files } = collectPages(ROOT, starts);
  writePages(PAGES, new Map([...pages, ...(await referencePages())]));
  for (const image of images) copy(image, PAGES);
  return files;
}

function copy(file: string, folder: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  cpSync(join(ROOT, file), join(folder, file));
}

async function buildSite(): Promise<void> {
  rmSync(HTML, { recursive: true, force: true });
  const files = await prepare();
  await build(SITE);
  // For readers of llms.txt: the files as they are, at their paths in the repository.
  for (const file of [...files, 'llms.txt']) copy(file, HTML);
  const broken = brokenLinks(HTML, process.env['SITE_BASE']);
  for (const each of broken) console.error(each);
  if (broken.length > 0) process.exitCode = 1;
}

async function serveSite(): Promise<void> {
  await prepare();
  const server = await createServer(SITE);
  await server.listen();
  server.printUrls();
  watch(join(ROOT, 'docs'), { recursive: true }, () => {
    prepare().catch((error: unknown) => console.error(error));
  });
}

await (process.argv.includes('--dev') ? serveSite() : buildSite());
