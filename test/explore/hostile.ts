import { HOSTILE } from './pages.js';

/** A schema whose names, values and descriptions would run or load something if a page did not escape them. */
export function hostileSchema(texts: readonly string[] = HOSTILE): object {
  const properties = Object.fromEntries(
    texts.map((text) => [text, { description: text, default: text, enum: [text, 'x'] }]),
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: {
      All: { type: 'object', description: texts.join('\n\n'), properties },
      Text: { type: 'string', pattern: '<script>', description: texts[0] ?? '' },
      Tool: {
        anyOf: texts.map((text) => ({ const: { [text]: text } })),
        description: '{@link All}',
      },
      ClientRequest: { $ref: '#/$defs/XRequest' },
      XRequest: { type: 'object', properties: { method: { enum: [...texts, 'x/y'] } } },
      XResult: { type: 'object', required: [...texts] },
      ClientCapabilities: { type: 'object', properties },
    },
  };
}
