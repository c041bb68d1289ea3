import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { readContents } from '../contents.js';
import { slugOf } from '../markdown.js';
import { NAVIGATION, sidebarOf } from '../navigation.js';
import { accessibleSearch } from './accessible-search.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** `SITE_BASE` is the path of the site at its host, such as `/mcp-codegen/`. */
export default defineConfig({
  base: process.env['SITE_BASE'] ?? '/',
  srcDir: '../../.cache/site/pages',
  outDir: '../../.cache/site/html',
  cacheDir: '../../.cache/site/vite',
  cleanUrls: true,
  lang: 'en',
  title: 'mcp-codegen',
  description: 'Types, validators, servers and clients for the Model Context Protocol',
  // No file, so that browsers do not ask for one.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: { anchor: { slugify: slugOf } },
  // The index of the search is the largest; it is loaded when the search is opened.
  vite: { build: { chunkSizeWarningLimit: 2_000 }, plugins: [accessibleSearch()] },
  themeConfig: {
    nav: NAVIGATION,
    sidebar: sidebarOf(readContents(ROOT)),
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
