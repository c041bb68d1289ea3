import { expect, it } from 'vitest';
import { readTools } from '../../generator/tools/index.js';
import { compileWith } from '../support/ts-compile.js';
import { toolModules } from './modules.js';

const schema = {
  type: 'object',
  properties: {
    site: { type: 'string', format: 'uri', pattern: '^https:' },
    depth: { type: 'integer' },
  },
  required: ['site'],
};
const plain = { name: 'crawl', inputSchema: schema };
const typed = { ...plain, name: 'measure', outputSchema: schema };

it.each([
  ['no tools', []],
  ['tools without output schemas', [plain]],
  ['tools with output schemas', [typed]],
  ['tools of both kinds', [plain, typed]],
])('%s compile under the strictest options', async (_, listed) => {
  const modules = await toolModules(readTools(listed).tools);
  expect(await compileWith('7.0', modules)).toEqual([]);
});
