import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { emitUnits } from '../../generator/emit/index.js';
import { buildProtocol } from '../../generator/ir/index.js';
import { loadSchema } from '../../generator/read/load/index.js';

/** A foreign schema, from the package that defines it. */
const path = createRequire(import.meta.url).resolve('@modelcontextprotocol/ext-apps/schema.json');

describe('the schema of MCP Apps', () => {
  it('is generated, with three dangling references', async () => {
    const { document, diagnostics } = await loadSchema(path, { strict: true });
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code }) => code)).toEqual(Array(3).fill('dangling-ref'));
    expect(errors.map(({ pointer }) => pointer?.split('/')[2]).sort()).toEqual([
      'McpUiHostContext',
      'McpUiHostContextChangedNotification',
      'McpUiInitializeResult',
    ]);
    expect(document.definitions.size).toBe(39);
    const units = await emitUnits(buildProtocol(document), ['types', 'zod', 'protocol']);
    for (const name of document.definitions.keys()) {
      expect(units.find((unit) => unit.path === 'types.ts')?.text).toContain(`type ${name} =`);
      expect(units.find((unit) => unit.path === 'zod.ts')?.text).toContain(`${name}Schema:`);
    }
  });
});
