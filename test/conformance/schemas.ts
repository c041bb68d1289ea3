import * as z from 'zod';

import { defineTool } from '../../runtime/server/index.js';

/** The suite's tools whose input schemas contain keywords without a Zod equivalent; `meta` adds these. */

const address = z
  .object({ street: z.string().optional(), city: z.string().optional() })
  .meta({ id: 'address', $anchor: 'addressDef' });

const whole = defineTool({
  name: 'json_schema_2020_12_tool',
  description: 'Has an input schema with all sorts of keywords.',
  input: z
    .strictObject({
      name: z.string().optional(),
      address: address.optional(),
      contactMethod: z.enum(['phone', 'email']).optional(),
      phone: z.string().optional(),
      email: z.string().optional(),
    })
    .meta({
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
    }),
  run: ({ args }) => JSON.stringify(args),
});

const header = defineTool({
  name: 'test_custom_headers',
  description: 'Wants an argument in a header as well.',
  input: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
  run: ({ args }) => args.region,
});

export const schemaTools = [whole, header];
