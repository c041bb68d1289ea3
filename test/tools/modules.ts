import { supportFor, supportUnits } from '../../generator/emit/index.js';
import { emitTools, emitToolValidators } from '../../generator/tools/index.js';
import { readSupport } from '../../generator/read/load/index.js';
import type { TypedTool } from '../../generator/tools/index.js';

/** All files of tools, by path: `tools.ts`, `tools/validators.ts` and the support modules. */
export async function toolModules(
  tools: readonly TypedTool[],
  name = 'tools',
): Promise<Readonly<Record<string, string>>> {
  const validators = emitToolValidators(tools, `../${name}.js`);
  const support = supportUnits(supportFor([validators]), readSupport());
  return {
    [`${name}.ts`]: await emitTools(tools, `./${name}/validators.js`),
    [`${name}/validators.ts`]: validators,
    ...Object.fromEntries(support.map(({ path, text }) => [path, text])),
  };
}
