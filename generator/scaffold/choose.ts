import { nearest, quote } from '../diagnostics/index.js';
import { featuresOf, ScaffoldError } from './template.js';
import type { Choices, Template, TemplateOption } from './template.js';

/**
 * The choices of each option: the given value (`a,b` for several), else the default.
 *
 * @throws {ScaffoldError} for an unknown value and for values that exclude each other.
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
  const lacking = template.requirements?.find(
    ({ feature, anyOf }) => features.has(feature) && !anyOf.some((each) => features.has(each)),
  );
  if (lacking) throw new ScaffoldError(lacking.reason, lacking.help);
  return choices;
}

function parse(option: TemplateOption, written: string): string[] {
  const known = option.choices.map(({ value }) => value);
  const words = option.many ? written.split(',').map((word) => word.trim()) : [written];
  for (const word of words) {
    if (known.includes(word)) continue;
    const meant = nearest(word, known);
    throw new ScaffoldError(
      `Unknown value ${quote(word)} for --${option.name}.`,
      meant ? `Did you mean ${meant}?` : `Known: ${known.join(', ')}.`,
    );
  }
  return words;
}

function inOrder({ choices, always }: TemplateOption, values: readonly string[]): string[] {
  return choices
    .map(({ value }) => value)
    .filter((value) => values.includes(value) || always.includes(value));
}
