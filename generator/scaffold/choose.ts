import { nearest, quote } from '../diagnostics/index.js';
import { CHOICES_FILE, featuresOf, ScaffoldError } from './template.js';
import type { Choices, Template, TemplateOption } from './template.js';

/**
 * What holds for each option: what was given, `a,b` where several may be chosen, or else the default.
 *
 * @throws {ScaffoldError} for what no option offers, and for what does not go together.
 */
export function choose(template: Template, given: Readonly<Record<string, unknown>>): Choices {
  const choices: Choices = Object.fromEntries(
    template.options.map((option) => {
      const written = given[option.name];
      const values = typeof written === 'string' ? parse(option, written) : option.default;
      return [option.name, inOrder(option, values)];
    }),
  );
  const features = featuresOf(choices);
  const clash = template.exclusions.find((each) => each.features.every((it) => features.has(it)));
  if (clash) throw new ScaffoldError(clash.reason, clash.help);
  return choices;
}

function parse(option: TemplateOption, written: string): string[] {
  const known = option.choices.map(({ value }) => value);
  const words = option.many ? written.split(',').map((word) => word.trim()) : [written];
  for (const word of words) {
    if (known.includes(word)) continue;
    const meant = nearest(word, known);
    throw new ScaffoldError(
      `${quote(word)} is none of the choices for --${option.name}.`,
      meant ? `Did you mean ${meant}?` : `Choose from ${known.join(', ')}.`,
    );
  }
  return words;
}

function inOrder({ choices, always }: TemplateOption, values: readonly string[]): string[] {
  return choices
    .map(({ value }) => value)
    .filter((value) => values.includes(value) || always.includes(value));
}

/**
 * What a project was made from, and what was chosen for it: the text of its `CHOICES_FILE`. `given`
 * comes first.
 *
 * @throws {ScaffoldError} when it is something else.
 */
export function chosenBefore(
  templates: readonly Template[],
  text: string,
  given: Readonly<Record<string, unknown>>,
): { readonly template: Template; readonly choices: Choices } {
  const { template: name, options } = parseObject(text);
  const template = templates.find((each) => each.name === name);
  if (!template || !isObject(options)) throw new ScaffoldError(`${CHOICES_FILE} is not ours.`);
  const before = Object.entries(options).map(([option, values]) => [
    option,
    Array.isArray(values) ? values.join(',') : undefined,
  ]);
  const all = { ...(Object.fromEntries(before) as object), ...definedOf(given) };
  return { template, choices: choose(template, all) };
}

function definedOf(given: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
