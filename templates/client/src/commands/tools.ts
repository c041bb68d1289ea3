import { kindsOf } from '../convert.js';
import { UsageError } from '../exit.js';
import { done } from '../session.js';
import type { Outcome, Session } from '../session.js';
import type { Tool } from '@mcp-codegen/runtime/client';
import { line, plain, table } from '../text.js';
import { targetOf } from './call.js';

/** `tools`: what the server offers. */
export async function listTools(session: Session): Promise<Outcome> {
  return await session.with(targetOf(session), async (client) => {
    const tools = await client.tools();
    const rows = tools.map(({ name, description = '', inputSchema }) => [
      name,
      argumentsText(inputSchema),
      description,
    ]);
    return done(rows.length === 0 ? 'The server offers no tools.\n' : table(rows), { tools });
  });
}

/** `date [room]`: what is required, and what may be left out. */
function argumentsText({ properties, required = [] }: Tool['inputSchema']): string {
  return Object.keys(properties ?? {})
    .map((name) => (required.includes(name) ? name : `[${name}]`))
    .join(' ');
}

/** `tools <tool>`: its arguments, with their types. */
export async function describeTool(session: Session, name: string): Promise<Outcome> {
  return await session.with(targetOf(session), async (client) => {
    const tool = (await client.tools()).find((each) => each.name === name);
    if (!tool) throw new UsageError(`The server has no tool ${JSON.stringify(name)}.`);
    const { description = '', inputSchema } = tool;
    const rows = Object.entries(inputSchema.properties ?? {}).map(([argument, schema]) => [
      argument,
      [...kindsOf(schema, inputSchema)].join(' | '),
      inputSchema.required?.includes(argument) ? 'required' : '',
      textOf(schema),
    ]);
    const parts = [line(tool.title ?? name), plain(description), table(rows).trimEnd()];
    return done(`${parts.filter((part) => part !== '').join('\n\n')}\n`, { tool });
  });
}

type Schema = Readonly<Record<string, unknown>>;

/** What a property's schema says of it for people. */
function textOf(schema: unknown): string {
  const { description, enum: values, default: preset } = Object(schema) as Schema;
  return [
    typeof description === 'string' ? description : '',
    Array.isArray(values) ? `one of ${values.map((each) => JSON.stringify(each)).join(', ')}` : '',
    preset === undefined ? '' : `default ${JSON.stringify(preset)}`,
  ]
    .filter((part) => part !== '')
    .join('; ');
}
