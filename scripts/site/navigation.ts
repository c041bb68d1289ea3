import type { DefaultTheme } from 'vitepress';
import { REVISIONS } from '../../generator/ir/revisions/index.js';
import type { Contents, Entry } from './contents.js';
import { sitePathOf } from './pages.js';
import { referencePath } from './reference-path.js';

const linkOf = (file: string): string => `/${sitePathOf(file).replace(/(index)?\.md$/, '')}`;
const itemOf = ({ path, title }: Entry): DefaultTheme.SidebarItem => ({
  text: title,
  link: linkOf(path),
});

const revisions = [...REVISIONS]
  .reverse()
  .map((revision) => ({ text: revision, link: `/${referencePath(revision)}` }));

/** The sidebar, the same on every page, in the order of `docs/README.md`. */
export function sidebarOf({ sections, decisions }: Contents): DefaultTheme.SidebarItem[] {
  return [
    {
      text: 'Start',
      items: [
        { text: 'README', link: '/' },
        { text: 'All pages', link: '/docs/' },
      ],
    },
    ...sections.map(({ title, entries }) => ({
      text: title,
      collapsed: false,
      items: entries.filter(({ path }) => !path.startsWith('docs/decisions/')).map(itemOf),
    })),
    { text: 'The protocol', link: '/reference/', collapsed: false, items: revisions },
    { text: 'Decisions', link: '/docs/decisions/', collapsed: true, items: decisions.map(itemOf) },
    {
      text: 'The project',
      collapsed: true,
      items: [
        { text: 'Changelog', link: '/CHANGELOG' },
        { text: 'Contributing', link: '/CONTRIBUTING' },
        { text: 'Examples', link: '/examples/' },
      ],
    },
  ];
}

export const NAVIGATION: DefaultTheme.NavItem[] = [
  { text: 'Docs', link: '/docs/' },
  { text: 'API', link: '/docs/api' },
  { text: 'Commands', link: '/docs/commands' },
  { text: 'Protocol', items: revisions },
];
