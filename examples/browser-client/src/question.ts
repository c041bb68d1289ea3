import type { InputHandlers } from '@mcp-codegen/runtime/client';
import { element } from './elements.js';

type AnswerForm = NonNullable<InputHandlers['form']>;
type Schema = Parameters<AnswerForm>[0]['requestedSchema'];
type Field = Schema['properties'][string];
type Value = string | number | boolean | string[];

const form = element('question', HTMLFormElement);

let last: Promise<unknown> = Promise.resolve();

/** Shows a form of the server. A server may ask several questions at once, so each waits for the one before. */
export const answerForm: AnswerForm = (params, request) => {
  const answer = last.then(() => showForm(params, request));
  last = answer.catch(() => undefined);
  return answer;
};

/** The form goes away with the answer, and when the server withdraws the question. */
const showForm: AnswerForm = async ({ message, requestedSchema }, { signal }) => {
  signal.throwIfAborted();
  const { properties, required = [] } = requestedSchema;
  const inputs = Object.entries(properties).map(([name, field]) => {
    const input = inputOf(field);
    input.name = name;
    input.required = required.includes(name) && !['boolean', 'array'].includes(field.type);
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
    // An empty list of choices is an answer, and where it is not allowed the server says so.
    const given = inputs.filter(({ name, input }) => input.value !== '' || required.includes(name));
    const content = given.map(({ name, field, input }) => [name, valueOf(field, input)] as const);
    return { action: 'accept', content: Object.fromEntries(content) };
  } finally {
    form.hidden = true;
  }
};

function inputOf(field: Field): HTMLInputElement | HTMLSelectElement {
  const choices = choicesOf(field);
  if (choices !== undefined) {
    const select = document.createElement('select');
    select.multiple = field.type === 'array';
    select.append(...(select.multiple ? [] : [new Option('')]), ...choices);
    return select;
  }
  const input = document.createElement('input');
  if (field.type === 'boolean') input.type = 'checkbox';
  if (field.type === 'number' || field.type === 'integer') input.type = 'number';
  return input;
}

/** The choices of a field that has some, with their titles if the server names them. */
function choicesOf(field: Field): HTMLOptionElement[] | undefined {
  const choices = field.type === 'array' ? field.items : field;
  if ('enum' in choices) return choices.enum.map((each) => new Option(each));
  if ('oneOf' in choices)
    return choices.oneOf.map(({ const: value, title }) => new Option(title, value));
  if ('anyOf' in choices)
    return choices.anyOf.map(({ const: value, title }) => new Option(title, value));
  return undefined;
}

function valueOf(field: Field, input: HTMLInputElement | HTMLSelectElement): Value {
  if (input instanceof HTMLSelectElement && input.multiple) {
    return Array.from(input.selectedOptions, ({ value }) => value);
  }
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
