import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { supportFor, supportUnits } from '../../generator/emit/index.js';
import { emitTools, emitToolValidators } from '../../generator/contracts/tools/index.js';
import type { TypedTool } from '../../generator/contracts/tools/index.js';

const SUPPORT = 'generator/emit/support';

/** All files of tools, by path: `tools.ts`, `tools/validators.ts` and the support modules. */
export async function toolModules(
  tools: readonly TypedTool[],
  name = 'tools',
): Promise<Readonly<Record<string, string>>> {
  const validators = emitToolValidators(tools, `../${name}.js`);
  const names = readdirSync(SUPPORT).filter((name) => name.endsWith('.ts'));
  const sources = new Map(names.map((name) => [name, readFileSync(join(SUPPORT, name), 'utf8')]));
  const support = supportUnits(supportFor([validators]), sources);
  return {
    [`${name}.ts`]: await emitTools(tools, `./${name}/validators.js`),
    [`${name}/validators.ts`]: validators,
    ...Object.fromEntries(support.map(({ path, text }) => [path, text])),
  };
}
