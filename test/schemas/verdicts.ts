import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { defineTool } from '../../runtime/server/index.js';

/** The verdicts of a tool with this plain JSON Schema on arguments. Rejects with a TypeError for what cannot be a tool. */
export async function verdictsOfTool(schema: object): Promise<(args: unknown) => Promise<boolean>> {
  const tool = defineTool({
    name: 'tool',
    description: 'A tool.',
    input: schema,
    run: () => 'ran',
  });
  await tool.load();
  return async (args) => (await tool.validationError(args)) === undefined;
}

/** The verdicts of ajv, as the official SDK uses it. Undefined for a value at which ajv exhausts its stack. */
export function verdictsOfAjv(schema: object): (args: unknown) => boolean | undefined {
  const isDraft07 = String((schema as { $schema?: string }).$schema).includes('draft-07');
  const options = { strict: false, validateSchema: false, logger: false } as const;
  const ajv = isDraft07 ? new Ajv(options) : new Ajv2020(options);
  addFormats.default(ajv);
  let validate: ReturnType<typeof ajv.compile> | undefined;
  return (args) => {
    try {
      validate ??= ajv.compile(schema);
      return validate(args) === true;
    } catch {
      return undefined;
    }
  };
}
