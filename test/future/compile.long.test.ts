import { expect, it } from 'vitest';
import { emitUnits } from '../../generator/emit/index.js';
import { protocolFromSource } from '../../generator/protocol/protocol.js';
import { supportFiles } from '../support/emitted.js';
import { compileWith } from '../support/ts-compile.js';
import { SECOND_EXTENSION, TOGETHER } from './revisions.js';

it('the code of protocols of the future compiles', async () => {
  const files: Record<string, string> = supportFiles();
  for (const [index, { name, schema }] of [...TOGETHER, SECOND_EXTENSION].entries()) {
    const source = { label: `${name}.json`, text: JSON.stringify(schema) };
    const { protocol } = protocolFromSource(source);
    const units = await emitUnits(protocol, ['types', 'zod', 'validators', 'protocol']);
    for (const { path, text } of units) files[`future${String(index)}/${path}`] = text;
  }
  expect(await compileWith('6.0', files)).toEqual([]);
});
