import { describe, expect, it } from 'vitest';

import { compileWith, typeScriptVersions } from '../support/ts-compile.js';

/** The settings of modules under which `docs/generated-code.md` says that the entries compile. */

const USES = `
import { defineTool } from '@mcp-codegen/runtime/server';
import { decode } from '@mcp-codegen/runtime/2025-11-25/validators';
export const received: boolean = decode('{}', { from: 'client' }).ok;
export const define: typeof defineTool = defineTool;
`;
const LATER = `
export async function received(): Promise<boolean> {
  const { decode } = await import('@mcp-codegen/runtime/2025-11-25/validators');
  return decode('{}', { from: 'client' }).ok;
}
`;
const CODE: Readonly<Record<string, string>> = {
  'module.mts': USES,
  'common.cts': USES,
  'later.cts': LATER,
};
const FILES = Object.keys(CODE);
const BUNDLER = { moduleResolution: 'bundler', noEmit: true };

/** Options, and the files that compile with them. */
const SETTINGS: readonly (readonly [Readonly<Record<string, unknown>>, readonly string[]])[] = [
  [{ module: 'nodenext' }, FILES],
  [{ module: 'node20' }, FILES],
  [{ module: 'node16' }, ['module.mts', 'later.cts']],
  [{ module: 'node18' }, ['module.mts', 'later.cts']],
  [{ module: 'esnext', ...BUNDLER }, FILES],
  [{ module: 'preserve', ...BUNDLER }, FILES],
];

describe.each(typeScriptVersions)('under TypeScript %s', (version) => {
  it.each(SETTINGS)(
    '%j: what compiles from ECMAScript modules and from CommonJS',
    async (options, compiling) => {
      const shared = { verbatimModuleSyntax: false, types: ['node'] };
      const found = await compileWith(version, CODE, { ...shared, ...options });
      const refused = FILES.filter((file) => found.some((each) => each.startsWith(file)));
      expect({ refused, found }).toMatchObject({
        refused: FILES.filter((file) => !compiling.includes(file)),
      });
    },
  );
});
