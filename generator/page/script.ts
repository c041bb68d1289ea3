/**
 * One script of modules that import each other by `./name.js`; `main` runs last. Modules in a page would
 * each need a URL, which the page's policy refuses. So each becomes a function that returns its exports.
 */
export function joinModules(modules: ReadonlyMap<string, string>, main: string): string {
  const done = new Set<string>();
  const parts: string[] = [];
  const add = (name: string): void => {
    const text = modules.get(name);
    if (text === undefined) throw new Error(`no module ${name}`);
    if (done.has(name)) return;
    done.add(name);
    for (const [, , imported = ''] of text.matchAll(IMPORT)) add(imported);
    parts.push(asFunction(name, text));
  };
  add(main);
  return `'use strict';\nconst modules = {};\n${parts.join('')}`;
}

const IMPORT = /^import (\{[^}]*\}) from '\.\/([\w-]+\.js)';\n/gm;
const EXPORT = /^export (?=(?:const|function|class) (\w+))/gm;

function asFunction(name: string, text: string): string {
  const names = [...text.matchAll(EXPORT)].map(([, exported]) => exported);
  const body = text.replace(IMPORT, "const $1 = modules['$2'];\n").replace(EXPORT, '');
  return `modules['${name}'] = (() => {\n${body}return { ${names.join(', ')} };\n})();\n`;
}
