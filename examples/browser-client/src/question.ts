import type { InputHandlers } from '@mcp-codegen/runtime/client';
import { element } from './elements.js';

type AnswerForm = NonNullable<InputHandlers['form']>;
type Schema = Parameters<AnswerForm>[0]['requestedSchema'];
type Field = Schema['properties'][string];
type Value = string | number | boolean;

const form = element('question', HTMLFormElement);

/** Shows a form of the server. It goes away with the answer, and when the server withdraws the question. */
export const answerForm: AnswerForm = async ({ message, requestedSchema }, { signal }) => {
  const { properties, required = [] } = requestedSchema;
  const inputs = Object.entries(properties).map(([name, field]) => {
    const input = inputOf(field);
    input.name = name;
    input.required = required.includes(name) && field.type !== 'boolean';
    const label = document.createElement('label');
    label.append(`${field.title ?? name} `, input);
    return { name, field, input, label };
  });
  // Texts of a server are shown as text.
  element('message', HTMLHeadingElement).textContent = message;
  element('fields', HTMLDivElement).replaceChildren(...inputs.map(({ label }) => label));
  form.hidden = false;
  inputs[0]?.input.focus();
  try {
    if (!(await isSent(signal))) return { action: 'decline' };
    const given = inputs.filter(({ input }) => input.value !== '');
    const content = given.map(({ name, field, input }) => [name, valueOf(field, input)] as const);
    return { action: 'accept', content: Object.fromEntries(content) };
  } finally {
    form.hidden = true;
  }
};

function inputOf(field: Field): HTMLInputElement | HTMLSelectElement {
  if ('enum' in field) {
    const select = document.createElement('select');
    select.append(...['', ...field.enum].map((each) => new Option(each)));
    return select;
  }
  const input = document.createElement('input');
  if (field.type === 'boolean') input.type = 'checkbox';
  if (field.type === 'number' || field.type === 'integer') input.type = 'number';
  return input;
}

function valueOf(field: Field, input: HTMLInputElement | HTMLSelectElement): Value {
  if (input instanceof HTMLInputElement && input.type === 'checkbox') return input.checked;
  return field.type === 'number' || field.type === 'integer' ? Number(input.value) : input.value;
}

/** Resolves with whether the user sends the form. Rejects when the question is withdrawn. */
function isSent(signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    form.onsubmit = (event) => {
      event.preventDefault();
      resolve(true);
    };
    element('decline', HTMLButtonElement).onclick = () => resolve(false);
  });
}
