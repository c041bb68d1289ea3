/** The modules of `support/`, by the name of their file. */
export const SUPPORT_MODULES = [
  'applicators',
  'batch',
  'byte',
  'characters',
  'check',
  'date-time',
  'decode',
  'email',
  'evaluated',
  'hostname',
  'idna',
  'ip',
  'message',
  'pattern',
  'pointer',
  'protocol',
  'punycode',
  'reference',
  'regex',
  'report',
  'schema-hash',
  'schema-validator',
  'shapes',
  'standard',
  'uri',
  'uri-template',
  'uuid',
  'validation',
  'values',
  'whole-message',
  'wire',
  'zod',
] as const;
export type SupportModule = (typeof SUPPORT_MODULES)[number];

/** Collects the imports of an emitted file while its code is written. */
export interface Imports {
  /** Returns the name, for use in the code. */
  value(module: SupportModule, name: string): string;
  type(module: SupportModule, name: string): string;
  /** The import statements, sorted. */
  text(): string;
}

export function createImports(): Imports {
  const used = new Map<string, Set<string>>();
  const note = (statement: string, name: string): string => {
    const names = used.get(statement) ?? new Set();
    used.set(statement, names.add(name));
    return name;
  };
  return {
    value: (module, name) => note(`${module} import`, name),
    type: (module, name) => note(`${module} import type`, name),
    text: () =>
      [...used]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, names]) => {
          const [module = '', ...keyword] = key.split(' ');
          return statement(keyword.join(' '), [...names].sort(), module);
        })
        .join(''),
  };
}

/** Re-exports types of a support module. */
export function exportTypes(module: SupportModule, names: readonly string[]): string {
  return statement('export type', [...names].sort(), module);
}

function statement(keyword: string, names: readonly string[], module: string): string {
  return statementFrom(keyword, names, `../support/${module}.js`);
}

/** `import { a, b } from './other.js';`, one name a line when it does not fit. */
export function statementFrom(keyword: string, names: readonly string[], path: string): string {
  const from = ` from '${path}';`;
  const line = `${keyword} { ${names.join(', ')} }${from}`;
  if (line.length <= 100) return `${line}\n`;
  return `${keyword} {\n${names.map((name) => `  ${name},\n`).join('')}}${from}\n`;
}
