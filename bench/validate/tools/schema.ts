/** A tool's input schema, as a server lists it. */
export type Schema = { readonly [keyword: string]: unknown };

export interface ToolSchema {
  readonly name: string;
  readonly inputSchema: Schema;
}

/** Short forms of what tools' schemas repeat. */
export const text = (description: string, rest: Schema = {}): Schema => ({
  type: 'string',
  description,
  ...rest,
});
export const whole = (description: string, rest: Schema = {}): Schema => ({
  type: 'integer',
  description,
  ...rest,
});
export const flag = (description: string, value = false): Schema => ({
  type: 'boolean',
  description,
  default: value,
});
export const choice = (description: string, ...values: readonly string[]): Schema => ({
  type: 'string',
  description,
  enum: values,
});
export const list = (items: Schema, rest: Schema = {}): Schema => ({
  type: 'array',
  items,
  ...rest,
});
export const object = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
  rest: Schema = {},
): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  ...rest,
});
export const closed = { additionalProperties: false } as const;
export const page = {
  page: whole('Page number, from 1', { minimum: 1, default: 1 }),
  perPage: whole('Results per page', { minimum: 1, maximum: 100, default: 30 }),
} as const;
export const when = (description: string): Schema =>
  text(description, { format: 'date-time', examples: ['2026-02-03T04:05:06Z'] });
export const named = (description: string, pattern: string, example: string): Schema =>
  text(description, { pattern, examples: [example] });

export function tool(
  name: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
  rest: Schema = {},
): ToolSchema {
  return { name, inputSchema: object(properties, required, rest) };
}
