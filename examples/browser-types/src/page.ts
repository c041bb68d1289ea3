import type { CallToolRequest } from '@mcp-codegen/runtime/2025-11-25';
import { verdictOn } from './verdict.js';

/** The message that the page starts with. The compiler checks it, and removes the type. */
const SAMPLE: CallToolRequest = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'add', arguments: { a: 1, b: 2 } },
};

const from = find('from', HTMLSelectElement);
const message = find('message', HTMLTextAreaElement);
const verdict = find('verdict', HTMLElement);
const errors = find('errors', HTMLElement);

message.value = JSON.stringify(SAMPLE, null, 2);
message.addEventListener('input', show);
from.addEventListener('change', show);
show();

function show(): void {
  const found = verdictOn(message.value, from.value === 'server' ? 'server' : 'client');
  verdict.textContent = found.title;
  errors.replaceChildren(...found.errors.map(item));
}

/** An item of the list. `textContent`, because the text quotes the message. */
function item(text: string): HTMLElement {
  const element = document.createElement('li');
  element.textContent = text;
  return element;
}

/** @throws when the page has no such element. */
function find<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`The page has no ${kind.name} #${id}`);
}
