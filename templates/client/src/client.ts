import { pathToFileURL } from 'node:url';
import { printable } from '@mcp-codegen/runtime/client';
import type { InputHandlers, TaskClient } from '@mcp-codegen/runtime/client';
import { ask, createTaskClient } from '@mcp-codegen/runtime/client/node';
import { EXTENSION_ID } from '@mcp-codegen/runtime/ext-tasks/protocol';

// What this client declares to servers. It refuses all other requests of a server.
const CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
  // The server may run its questions as core tasks.
  tasks: {
    list: {},
    cancel: {},
    requests: { elicitation: { create: {} }, sampling: { createMessage: {} } },
  },
  // Tool calls may become tasks in 2026-07-28. Core tasks need no declaration.
  extensions: { [EXTENSION_ID]: {} },
};

// Answers to the requests of a server.
const ANSWERS: InputHandlers = {
  async form({ message, requestedSchema }, { signal }) {
    const content: Record<string, string | number | boolean | string[]> = {};
    for (const [name, field] of Object.entries(requestedSchema.properties)) {
      const question = `${printable(message)}\n${name} ${JSON.stringify(field)}:`;
      let text = await ask(question, signal);
      const isNumber = field.type === 'number' || field.type === 'integer';
      while (isNumber && text && !Number.isFinite(Number(text))) text = await ask(question, signal);
      if (text === undefined) return { action: 'cancel' };
      if (text === '') continue; // The server decides whether it needs the field.
      if (field.type === 'boolean') content[name] = /^(true|yes|y)$/i.test(text);
      else if (field.type === 'array') content[name] = text.split(',');
      else content[name] = field.type === 'string' ? text : Number(text);
    }
    return { action: 'accept', content };
  },
  // The user opens the address, because a server must not open a browser.
  async url({ message, url }, { signal }) {
    const text = await ask(`${printable(message)}\nOpen ${url} and enter "done":`, signal);
    return { action: text === 'done' ? 'accept' : 'decline' };
  },
  // The user writes the reply. To let a language model reply, call it here.
  async sampling({ messages }, { signal }) {
    const text = await ask(`${JSON.stringify(messages)}\nYour reply:`, signal);
    if (text === undefined || text === '') throw new Error('The user declined');
    return { model: 'user', role: 'assistant', content: { type: 'text', text } };
  },
  roots: () => ({ roots: [{ uri: pathToFileURL(process.cwd()).href }] }),
};

/** Connects to a URL, or to the server that a command starts. Rejects with a `CallError`. */
export async function connect([server = '', ...args]: readonly string[]): Promise<TaskClient> {
  const client = createTaskClient({
    name: 'my-mcp-client',
    version: '0.1.0',
    capabilities: CAPABILITIES,
    answer: ANSWERS,
    // Servers need not send these, because a call also polls its task.
    statusHandlers: {
      'notifications/tasks/status': ({ status }) => showStatus(status),
      'notifications/tasks': ({ status }) => showStatus(status),
    },
  });
  const stderr = process.stderr.isTTY ? 'ignore' : 'inherit'; // A log would run into the progress.
  await client.connect(/^https?:/.test(server) ? server : { command: server, args, stderr });
  return client;
}

function showStatus(status: string): void {
  if (status !== 'working') show(`The task is ${status}`);
}

/** Shows how a call is going. On a terminal, each text replaces the last one. */
export function show(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${printable(text)}`);
  else if (text !== '') console.error(printable(text));
}
