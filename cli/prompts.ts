import type { Template, TemplateOption } from '../generator/scaffold/index.js';
import { InterruptedError } from './exit.js';
import type { Terminal } from './io.js';

type Given = Readonly<Record<string, string | undefined>>;

/** Whether to prompt for an option, given the earlier choices. */
export function isAsked({ name, askedWith }: TemplateOption, given: Given): boolean {
  const chosen = Object.values(given).flatMap((written) => written?.split(',') ?? []);
  return given[name] === undefined && (askedWith?.every((each) => chosen.includes(each)) ?? false);
}

/**
 * Prompts for the options that were not given.
 *
 * @throws {InterruptedError} when the user cancels.
 */
export async function askOptions(
  { options }: Template,
  given: Given,
  terminal: Terminal,
): Promise<Given> {
  const { select } = await import('@clack/prompts');
  const answers: Record<string, string | undefined> = { ...given };
  for (const option of options.filter((each) => each.askedWith)) {
    if (!isAsked(option, answers)) continue;
    answers[option.name] = await answered(terminal, (streams) =>
      select({
        message: option.describe,
        options: option.choices.map(({ value, describe }) => ({
          value,
          label: value,
          hint: describe,
        })),
        initialValue: option.default[0] ?? '',
        ...streams,
      }),
    );
  }
  return answers;
}

/**
 * Prompts until the answer is valid. `problemOf` says what is wrong with an answer.
 *
 * @throws {InterruptedError}
 */
export async function askFolder(
  initial: string,
  problemOf: (folder: string) => string | undefined,
  terminal: Terminal,
): Promise<string> {
  const { text } = await import('@clack/prompts');
  return await answered(terminal, (streams) =>
    text({
      message: 'Which folder should contain the project?',
      placeholder: initial,
      defaultValue: initial,
      validate: (folder) => problemOf(folder || initial),
      ...streams,
    }),
  );
}

/** @throws {InterruptedError} */
export async function askWhether(
  message: string,
  terminal: Terminal,
  initialValue = true,
): Promise<boolean> {
  const { confirm } = await import('@clack/prompts');
  return await answered(terminal, (streams) => confirm({ message, initialValue, ...streams }));
}

interface Streams extends Terminal {
  readonly signal: AbortSignal;
}

/**
 * The answer to a prompt. `@clack/prompts` returns a symbol when the user cancels, and never returns when the
 * input ends: with Ctrl-D, or because the terminal was closed.
 *
 * @throws {InterruptedError}
 */
async function answered<T>(
  terminal: Terminal,
  prompt: (streams: Streams) => Promise<T>,
): Promise<Exclude<T, symbol>> {
  const { input } = terminal;
  const ended = new AbortController();
  const end = (): void => ended.abort();
  const onKey = (_: unknown, key?: { readonly ctrl: boolean; readonly name?: string }): void => {
    if (key?.ctrl && key.name === 'd') end();
  };
  input.once('end', end).on('keypress', onKey);
  try {
    const answer = await prompt({ ...terminal, signal: ended.signal });
    if (typeof answer === 'symbol') throw new InterruptedError();
    return answer as Exclude<T, symbol>;
  } finally {
    input.off('end', end).off('keypress', onKey);
  }
}
