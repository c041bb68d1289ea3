import { multiselect, text } from '@clack/prompts';
import { fieldsOf } from './form.js';
import type { FieldValue, Field } from './form.js';
import type { ElicitRequestFormParams, ElicitResult } from '../../generated/2025-11-25/index.js';
import { answered, choose, indented, untilAnswered } from './prompts.js';
import type { Prompting } from './prompts.js';
import { kept, withPasted } from './paste.js';
import { line, plain } from './text.js';

/** Asks the user to fill in a form, field by field, and checks each answer at once. */
export async function askForm(
  { message, requestedSchema }: ElicitRequestFormParams,
  prompting: Prompting,
): Promise<ElicitResult> {
  const fields = fieldsOf(requestedSchema);
  prompting.io.err.write(`\nThe server asks:\n${indented(message)}\n`);
  const ask = async (): Promise<ElicitResult> => {
    const wanted = await choose(
      'Answer?',
      [
        { value: 'accept', label: 'Answer' },
        { value: 'decline', label: 'Decline' },
      ],
      prompting,
    );
    if (wanted === 'decline') return { action: 'decline' };
    let asked = fields;
    for (;;) {
      const content = new Map<string, FieldValue>();
      for (const field of asked) {
        const answer = await askField(field, prompting);
        if (answer !== undefined) content.set(field.name, answer);
      }
      const next = await review(content, fields, prompting);
      if (next === 'decline') return { action: 'decline' };
      if (next === 'send') return { action: 'accept', content: Object.fromEntries(content) };
      asked = fields.map((field) => withInitial(field, content.get(field.name)));
    }
  };
  return await untilAnswered(ask, () => ({ action: 'cancel' }), prompting);
}

/** Shows all answers before they are sent. The one answer of a short form was in view until it was given. */
async function review(
  content: ReadonlyMap<string, FieldValue>,
  fields: readonly Field[],
  prompting: Prompting,
): Promise<'send' | 'change' | 'decline'> {
  if (fields.length < 2) return 'send';
  const answers = fields.map(({ name, title }) => {
    const value = content.get(name);
    const shown = value === undefined ? 'no answer' : JSON.stringify(value);
    return `  ${line(title, 80)}: ${line(shown, 200)}\n`;
  });
  prompting.io.err.write(`\nYour answers:\n${answers.join('')}`);
  return await choose(
    'Send them?',
    [
      { value: 'send', label: 'Send them' },
      { value: 'change', label: 'Change them' },
      { value: 'decline', label: 'Decline' },
    ],
    prompting,
  );
}

/** The field with an answer in place of its default. */
function withInitial(field: Field, value: FieldValue | undefined): Field {
  switch (field.kind) {
    case 'text':
      return { ...field, written: value === undefined ? '' : String(value) };
    case 'choice': {
      const { initial: _, ...rest } = field;
      return { ...rest, ...(value !== undefined && { initial: value }) };
    }
    case 'choices':
      return { ...field, initial: Array.isArray(value) ? value : [] };
  }
}

async function askField(field: Field, prompting: Prompting): Promise<FieldValue | undefined> {
  const { title, description, required } = field;
  const message = line(description === '' ? title : `${title}: ${description}`, 500);
  const check = (value: FieldValue): string | undefined => {
    const read = field.read(value);
    return 'problem' in read ? plain(read.problem) : undefined;
  };
  switch (field.kind) {
    case 'text': {
      const usual = suggestion(field.initial);
      const mayBeEmpty = required ? '' : ' (may be empty)';
      const written = await answered(
        prompting,
        (streams) =>
          text({
            message: message + (usual === '' ? mayBeEmpty : ' (Enter takes the default)'),
            placeholder: usual,
            defaultValue: usual,
            initialValue: suggestion(field.written ?? ''),
            validate(value = '') {
              const answer = withPasted(value === '' ? usual : value);
              return answer === '' && !required ? undefined : check(answer);
            },
            ...streams,
          }),
        kept,
      );
      const read = field.read(written);
      return (written === '' && !required) || 'problem' in read ? undefined : read.value;
    }
    case 'choice': {
      const none = { value: undefined, label: 'No answer' };
      const options = [...field.choices, ...(required ? [] : [none])];
      const initial = options.find(({ value }) => value === field.initial);
      return await choose(message, options, prompting, initial?.value);
    }
    case 'choices':
      return await askChoices(message, field, check, prompting);
  }
}

async function askChoices(
  message: string,
  { choices, initial, required }: Extract<Field, { kind: 'choices' }>,
  check: (value: FieldValue) => string | undefined,
  prompting: Prompting,
): Promise<FieldValue | undefined> {
  for (let initialValues = [...initial]; ;) {
    const chosen = await answered(prompting, (streams) =>
      multiselect({
        message,
        options: choices.map(({ value, label }) => ({ value: String(value), label: line(label) })),
        initialValues,
        required: false,
        ...streams,
      }),
    );
    if (chosen.length === 0 && !required) return undefined;
    const problem = check(chosen);
    if (problem === undefined) return chosen;
    prompting.io.err.write(`${problem}\n`);
    initialValues = chosen;
  }
}

/** A suggestion is shown as it would be typed, so one with what a terminal would act on is dropped. */
function suggestion(text: string): string {
  return text.length <= 1_000 && plain(text) === text && !text.includes('\n') ? text : '';
}
