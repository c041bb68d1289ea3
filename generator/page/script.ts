/**
 * One script of modules that import each other by `./name.js`, the last one being the first to run.
 * Modules in a page would each need a URL, which the page's policy refuses. So imports and the word `export`
 * are removed, and the names of all modules share one function.
 */
export function joinModules(modules: ReadonlyMap<string, string>, main: string): string {
  const done = new Set<string>();
  const parts: string[] = [];
  const add = (name: string): void => {
    const text = modules.get(name);
    if (text === undefined) throw new Error(`no module ${name}`);
    if (done.has(name)) return;
    done.add(name);
    for (const [, imported = ''] of text.matchAll(IMPORT)) add(imported);
    parts.push(text.replace(IMPORT, '').replace(/^export (?=const|function|class)/gm, ''));
  };
  add(main);
  return `(() => {\n'use strict';\n${parts.join('\n')}})();\n`;
}

const IMPORT = /^import \{[^}]*\} from '\.\/([\w-]+\.js)';\n/gm;
