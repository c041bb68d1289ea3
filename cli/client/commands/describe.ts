import { CallError } from '../../../runtime/client/index.js';
import type { LeftOut, TaskClient, Tool } from '../../../runtime/client/index.js';
import { METHODS } from '../../../runtime/protocol.js';
import { nearest } from '../../../json-schema/nearest.js';
import { kindsOf } from '../convert.js';
import { listOr } from '../lists.js';
import { done } from '../outcome.js';
import type { CommandResult } from '../outcome.js';
import type { CommandContext } from '../session.js';
import { line, plain, table } from '../text.js';
import { UsageError } from '../usage.js';
import { promptTable } from './prompts.js';
import { resourceTable } from './resources.js';

/** The server, and its tools, prompts and resources. */
export async function describeServer(session: CommandContext): Promise<CommandResult> {
  return await session.with(await session.target(), async (client) => {
    const tools = await listOr([], () => client.tools());
    const prompts = await listOr([], () => client.prompts());
    const resources = await listOr([], () => client.resources());
    const resourceTemplates = await listOr([], () => client.resourceTemplates());
    const sections = [
      section('Prompts', prompts.length, promptTable(prompts, session.io)),
      section(
        'Resources',
        resources.length + resourceTemplates.length,
        resourceTable(resources, resourceTemplates, session.io),
      ),
    ];
    const { leftOut } = client;
    const invalid = section('Left out', leftOut.length, leftOutTable(leftOut, session.io));
    const offered =
      tools.length === 0 ? 'The server offers no tools.\n' : toolTable(tools, session.io);
    const { info, instructions } = client.server;
    const said =
      instructions === undefined ? '' : `Instructions:\n${plain(instructions).trimEnd()}\n`;
    const parts = [heading(client), offered, ...sections, invalid, said];
    const text = parts.filter((part) => part !== '').join('\n');
    const server = { ...info, revision: client.revision, instructions };
    return done(text, { server, tools, prompts, resources, resourceTemplates, leftOut });
  });
}

function heading({ server: { info }, revision }: TaskClient): string {
  const name =
    info === undefined ? 'A server without a name' : `${info.title ?? info.name} ${info.version}`;
  return `${line(name)}, revision ${String(revision)}\n`;
}

function section(title: string, count: number, text: string): string {
  return count === 0 ? '' : `${title}:\n${text}`;
}

/** A line for each tool, with its arguments: `date [room]`. */
function toolTable(tools: readonly Tool[], io: CommandContext['io']): string {
  return table(
    tools.map(({ name, description = '', inputSchema }) => [
      name,
      argumentsText(inputSchema),
      description,
    ]),
    io,
  );
}

/** A line for each entry that is not used, with its fault. */
function leftOutTable(entries: readonly LeftOut[], io: CommandContext['io']): string {
  return table(
    entries.map(({ method, name = '', fault }) => [method, name, fault]),
    io,
  );
}

function argumentsText({ properties, required = [] }: Tool['inputSchema']): string {
  return Object.keys(properties ?? {})
    .map((name) => (required.includes(name) ? name : `[${name}]`))
    .join(' ');
}

/** The arguments of a tool, with their types. */
export async function describeTool(session: CommandContext, name: string): Promise<CommandResult> {
  return await session.with(await session.target(), async (client) => {
    const tools = await listOr([], () => client.tools());
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw unknownTool(client, name, tools);
    const { description = '', inputSchema } = tool;
    const rows = Object.entries(inputSchema.properties ?? {}).map(([argument, schema]) => [
      argument,
      [...kindsOf(schema, inputSchema)].join(' | '),
      inputSchema.required?.includes(argument) ? 'required' : '',
      textOf(schema),
    ]);
    const parts = [line(tool.title ?? name), plain(description), table(rows, session.io).trimEnd()];
    return done(`${parts.filter((part) => part !== '').join('\n\n')}\n`, { tool });
  });
}

/** Why a tool is not among the tools: its entry is invalid, or the server has none of the name. */
export function unknownTool(client: TaskClient, name: string, tools: readonly Tool[]): Error {
  const invalid = client.leftOut.find(
    (each) => each.method === METHODS.toolsList && each.name === name,
  );
  if (invalid !== undefined) {
    const message = `The tool ${name} is invalid: ${invalid.fault}`;
    return new CallError({ reason: 'invalid_answer' }, message);
  }
  const names = tools.map((each) => each.name);
  const meant = nearest(name, names);
  return new UsageError(
    `The server has no tool ${JSON.stringify(name)}.`,
    meant === undefined ? 'All tools: mcp-codegen describe' : `Did you mean ${line(meant)}?`,
  );
}

type Schema = Readonly<Record<string, unknown>>;

/** What a property's schema says of it for users. */
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
