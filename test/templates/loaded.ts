import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What a process has loaded, by file and package: `generated/2025-11-25/validators.js`, `libsql`. */
export interface Recorder {
  /** Options of Node.js for the process. */
  readonly args: readonly string[];
  /** Modules of the runtime package and of packages, so far. */
  readonly loaded: () => string[];
}

/** Module hooks that write each URL down before it is loaded. */
const HOOKS = `
import { appendFileSync } from 'node:fs';
let file;
export const initialize = (data) => { file = data; };
export const load = (url, context, next) => {
  appendFileSync(file, url + '\\n');
  return next(url, context);
};
`;

/** `require` passes by the hooks. */
const REGISTER = (hooks: string, file: string): string => `
import { appendFileSync } from 'node:fs';
import Module, { register } from 'node:module';
register(${JSON.stringify(hooks)}, { data: ${JSON.stringify(file)} });
const { _load } = Module;
Module._load = function (request, ...rest) {
  appendFileSync(${JSON.stringify(file)}, 'require:' + request + '\\n');
  return Reflect.apply(_load, this, [request, ...rest]);
};
`;

export function recordIn(folder: string): Recorder {
  const [hooks, register, file] = ['hooks.mjs', 'register.mjs', 'loaded.txt'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(hooks, HOOKS);
  writeFileSync(register, REGISTER(pathToFileURL(hooks).href, file));
  writeFileSync(file, '');
  return {
    args: ['--import', pathToFileURL(register).href],
    loaded: () => [...new Set(readFileSync(file, 'utf8').split('\n').map(shorten))].sort(),
  };
}

function shorten(line: string): string {
  const [, inRuntime] = /\/runtime\/dist\/([^?]*)/.exec(line) ?? [];
  const [, inPackage] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(line) ?? [];
  return inRuntime ?? inPackage ?? line.replace('require:', '');
}
