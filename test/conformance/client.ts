import {
  createTaskClient,
  PROTOCOL_VERSIONS,
  type TaskClient,
} from '../../runtime/client/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { at, isObject } from '../../runtime/peer/wire/json.js';
import { proxiedUrl } from '../recording/proxied-url.js';
import { authorizedFetch, type Credentials } from './oauth.js';

/**
 * The client that the conformance suite starts, with the URL of its server. It connects, lists
 * everything, calls every tool, and reads resources and prompts. Words before the URL are a command that stands
 * between them.
 */
interface Call {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The suite's input: calls to make and credentials to use. */
const context = JSON.parse(
  process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}',
) as Partial<Credentials> & {
  readonly toolCalls?: readonly Call[];
};
/** A tool that compares the schema of another one, as this client has it, with what the suite sent. */
const ECHO = 'json_schema_echo';
const ECHOED = 'json_schema_2020_12_tool';
const command = process.argv.slice(2, -1);
const url = new URL(process.argv.at(-1) ?? '');
const modern = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] === '2026-07-28';

const { client_id, client_secret } = context;
const registered =
  client_id === undefined || client_secret === undefined ? undefined : { client_id, client_secret };

const tasks = createTaskClient({
  name: 'conformance',
  version: '1.0.0',
  ...(!modern && { revisions: PROTOCOL_VERSIONS.slice(1) }),
  answer: { form: (params) => ({ action: 'accept', content: defaultsOf(params) }) },
});
const proxy = command.length > 0 ? await proxiedUrl(command, url.href) : undefined;
await tasks.connect(proxy?.url ?? url, { fetch: authorizedFetch(url.href, registered) });
await look(tasks);
await tasks.close();
await proxy?.end();

async function look(tasks: TaskClient): Promise<void> {
  const listed = await tasks.tools();
  const calls =
    context.toolCalls ??
    listed.map(({ name, inputSchema }) => ({
      name,
      arguments:
        name === ECHO
          ? { schema: listed.find((each) => each.name === ECHOED)?.inputSchema }
          : argumentsFor(inputSchema),
    }));
  // Ignores the tool's result.
  for (const each of calls) await tasks.call(each.name, each.arguments).catch(console.error);
  for (const { uri } of await tasks.resources()) await tasks.read(uri);
  for (const { name } of await tasks.prompts()) await tasks.prompt(name);
}

/** The smallest valid arguments of a schema. */
function argumentsFor(schema: unknown): JsonObject {
  const required = at(schema, ['required']);
  const names = Array.isArray(required) ? (required as string[]) : [];
  const samples: JsonObject = {
    string: 'text',
    number: 1,
    integer: 1,
    boolean: true,
    object: {},
    array: [],
  };
  return Object.fromEntries(
    names.map((name) => [name, samples[String(at(schema, ['properties', name, 'type']))]]),
  );
}

/** A form with its default values. */
function defaultsOf(params: { readonly requestedSchema: unknown }): Record<string, string> {
  const properties = at(params, ['requestedSchema', 'properties']);
  const filled = Object.entries(isObject(properties) ? properties : {})
    .map(([name, schema]) => [name, at(schema, ['default'])])
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(filled) as Record<string, string>;
}
