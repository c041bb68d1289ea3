import type { Plugin } from 'vite';

const FILE = /VPLocalSearchBox\.vue$/;

/**
 * What axe finds in the search of VitePress, and what stands there instead. The whole search is a button there, with
 * other buttons in it; a result is an option with a link in it. Here it is a dialog, and a result is the option itself.
 */
const CHANGES: readonly (readonly [was: string | RegExp, becomes: string])[] = [
  [
    /role="button"\s+:aria-owns="[^"]+"\s+aria-expanded="true"\s+aria-haspopup="listbox"\s+aria-labelledby="localsearch-label"/,
    'role="dialog" aria-modal="true" aria-label="Search"',
  ],
  [
    /:id="'localsearch-item-' \+ index"\s+:aria-selected="[^"]+"\s+role="option"/,
    'role="presentation"',
  ],
  [
    `:aria-label="[...p.titles, p.title].join(' > ')"`,
    `:id="'localsearch-item-' + index" :aria-selected="selectedIndex === index" role="option"`,
  ],
  [/<kbd (?=:aria-label)/g, '<kbd role="img" '],
];

/** @throws {Error} when the version of VitePress has another search: look at it, and change or remove this file. */
export function accessibleSearch(): Plugin {
  return {
    name: 'accessible-search',
    enforce: 'pre',
    transform(code, id) {
      if (!FILE.test(id)) return undefined;
      return CHANGES.reduce((text, [was, becomes]) => {
        const changed = text.replace(was, becomes);
        if (changed === text) throw new Error(`The search of VitePress has no ${String(was)}`);
        return changed;
      }, code);
    },
  };
}
