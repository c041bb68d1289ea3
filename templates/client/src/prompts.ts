import { isCancel, multiselect, select, text } from '@clack/prompts';
import { openInBrowser } from './browser.js';
import { fieldsOf } from './form.js';
import type { Answer, Choice, Field } from './form.js';
import type { Io } from './io.js';
import type {
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
} from '@mcp-codegen/runtime/2025-11-25';
import { line, plain } from './text.js';

/** Somebody left a question unanswered, with Ctrl-C or Escape. */
class Left extends Error {}

interface Asking {
  readonly io: Io;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Asks a person to fill in a form, field by field; each answer is checked as it is given. */
export async function askForm(
  { message, requestedSchema }: ElicitRequestFormParams,
  asking: Asking,
): Promise<ElicitResult> {
  const fields = fieldsOf(requestedSchema);
  asking.io.messages.write(`\nThe server asks:\n${indented(message)}\n`);
  return await unlessLeft(async () => {
    const wanted = await choose(
      'Answer?',
      [
        { value: 'accept', label: 'Answer' },
        { value: 'decline', label: 'Decline' },
      ],
      asking,
    );
    if (wanted === 'decline') return { action: 'decline' };
    const content = new Map<string, Answer>();
    for (const field of fields) {
      const answer = await askField(field, asking);
      if (answer !== undefined) content.set(field.name, answer);
    }
    return { action: 'accept', content: Object.fromEntries(content) };
  });
}

/** Shows an address in full, and opens it only when the person says so. */
export async function askUrl(
  { message, url }: ElicitRequestURLParams,
  asking: Asking,
): Promise<ElicitResult> {
  const { messages } = asking.io;
  messages.write(`\nThe server asks you to visit an address:\n${indented(message)}\n`);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') {
    messages.write(`It is no web address: ${plain(url)}\n`);
    return { action: 'decline' };
  }
  // As a browser would read it: letters that look like others are spelt out.
  messages.write(`\n  ${plain(parsed.href)}\n\n  This leads to ${parsed.host}.\n`);
  return await unlessLeft(async () => {
    const wanted = await choose(
      'Open it in the browser?',
      [
        { value: 'open', label: 'Open it' },
        { value: 'self', label: 'I open it myself' },
        { value: 'decline', label: 'Decline' },
      ],
      asking,
    );
    if (wanted === 'decline') return { action: 'decline' };
    if (wanted === 'open') openInBrowser(parsed.href);
    return { action: 'accept' };
  });
}

/** What to do with a task that is running. */
export async function askStop(asking: Asking): Promise<'cancel' | 'detach' | 'go on'> {
  try {
    return await choose(
      'The task is running.',
      [
        { value: 'detach', label: 'Leave it running, and end here' },
        { value: 'cancel', label: 'Cancel it' },
        { value: 'go on', label: 'Go on waiting' },
      ],
      asking,
    );
  } catch (error) {
    if (error instanceof Left) return 'detach';
    throw error;
  }
}

async function unlessLeft(work: () => Promise<ElicitResult>): Promise<ElicitResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Left) return { action: 'cancel' };
    throw error;
  }
}

async function askField(field: Field, asking: Asking): Promise<Answer | undefined> {
  const { title, description, required } = field;
  const message = line(description === '' ? title : `${title}: ${description}`, 500);
  const check = (value: Answer): string | undefined => {
    const read = field.read(value);
    return 'complaint' in read ? plain(read.complaint) : undefined;
  };
  switch (field.kind) {
    case 'text': {
      const written = await answered(
        text({
          message: required ? message : `${message} (may be empty)`,
          initialValue: suggestion(field.initial),
          validate: (value = '') => (value === '' && !required ? undefined : check(value)),
          ...streams(asking),
        }),
      );
      const read = field.read(written);
      return (written === '' && !required) || 'complaint' in read ? undefined : read.value;
    }
    case 'choice': {
      const none = { value: undefined, label: 'No answer' };
      const options = [...field.choices, ...(required ? [] : [none])];
      const initial = options.find(({ value }) => value === field.initial);
      return await choose(message, options, asking, initial?.value);
    }
    case 'choices':
      return await askChoices(message, field, check, asking);
  }
}

async function askChoices(
  message: string,
  { choices, initial, required }: Extract<Field, { kind: 'choices' }>,
  check: (value: Answer) => string | undefined,
  asking: Asking,
): Promise<Answer | undefined> {
  for (let initialValues = [...initial]; ;) {
    const chosen = await answered(
      multiselect({
        message,
        options: choices.map(({ value, label }) => ({ value: String(value), label: line(label) })),
        initialValues,
        required: false,
        ...streams(asking),
      }),
    );
    if (chosen.length === 0 && !required) return undefined;
    const complaint = check(chosen);
    if (complaint === undefined) return chosen;
    asking.io.messages.write(`${complaint}\n`);
    initialValues = chosen;
  }
}

/** A suggestion is shown as it is typed, so one with what a terminal would act on is dropped. */
function suggestion(text: string): string {
  return text.length <= 1_000 && plain(text) === text && !text.includes('\n') ? text : '';
}

/** By its position: what a choice stands for may be anything, `undefined` included. */
async function choose<T extends Choice['value'] | undefined>(
  message: string,
  choices: readonly { readonly value: T; readonly label: string }[],
  asking: Asking,
  initial: T | undefined = undefined,
): Promise<T> {
  const index = await answered(
    select<number>({
      message,
      options: choices.map(({ label }, value) => ({ value, label: line(label) })),
      initialValue: Math.max(
        0,
        choices.findIndex(({ value }) => value === initial),
      ),
      ...streams(asking),
    }),
  );
  return choices[index]?.value as T;
}

function streams({ io, signal }: Asking): object {
  // A signal for each prompt, since prompts never stop listening to theirs.
  return { input: io.input, output: io.messages, signal: AbortSignal.any([signal]) };
}

async function answered<T>(prompt: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await prompt;
  if (isCancel(answer)) throw new Left();
  return answer as Exclude<T, symbol>;
}

function indented(message: string): string {
  return plain(message)
    .split('\n')
    .map((each) => `  ${each}`)
    .join('\n');
}
