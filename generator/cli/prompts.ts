import type { Template, TemplateOption } from '../scaffold/index.js';
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
    const answer = await select({
      message: option.describe,
      options: option.choices.map(({ value, describe }) => ({
        value,
        label: value,
        hint: describe,
      })),
      initialValue: option.default[0] ?? '',
      ...terminal,
    });
    answers[option.name] = answered(answer);
  }
  return answers;
}

/** @throws {InterruptedError} */
export async function askFolder(initial: string, terminal: Terminal): Promise<string> {
  const { text } = await import('@clack/prompts');
  const answer = await text({
    message: 'Which folder should contain the project?',
    placeholder: initial,
    defaultValue: initial,
    ...terminal,
  });
  return answered(answer);
}

/** @throws {InterruptedError} */
export async function askWhether(message: string, terminal: Terminal): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message, initialValue: true, ...terminal });
  if (isCancel(answer)) throw new InterruptedError();
  return answer;
}

/** `@clack/prompts` returns a symbol when the user cancels. */
function answered(answer: string | symbol): string {
  if (typeof answer === 'symbol') throw new InterruptedError();
  return answer;
}
