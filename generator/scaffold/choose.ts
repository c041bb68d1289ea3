import { nearest } from '../../json-schema/nearest.js';
import { quote } from '../../json-schema/text.js';
import { clashIn, featuresIn, featuresOf, ScaffoldError } from './template.js';
import type { Choices, Features, Template, TemplateOption } from './template.js';

/**
 * The choices of each option: the given value (`a,b` for several), else the default.
 *
 * @throws {ScaffoldError} for an unknown value and for values that exclude each other.
 */
export function choose(template: Template, given: Readonly<Record<string, unknown>>): Choices {
  const chosen = new Map(
    template.options.map((option) => {
      const written = given[option.name];
      return [option, typeof written === 'string' ? parse(option, written) : option.default];
    }),
  );
  /** Defaults that may be left out: those of options that were not given. */
  const optional = template.options.filter(({ name, many }) => many && given[name] === undefined);
  for (;;) {
    const choices = withImplied(chosen);
    const clash = clashIn(template, featuresOf(choices));
    if (!clash) return choices;
    const option = optional.find((each) =>
      chosen.get(each)?.some((value) => clash.features.includes(value)),
    );
    if (!option) throw new ScaffoldError(clash.reason, clash.help);
    const rest = chosen.get(option)?.filter((value) => !clash.features.includes(value)) ?? [];
    chosen.set(option, rest);
  }
}

/** The features under which the template itself runs. Its packages come from tarballs. */
export function ownFeatures(template: Template): Features {
  return new Set([...featuresIn(template, choose(template, template.own)), 'vendored']);
}

/** @throws {ScaffoldError} for an unknown value, of the first option that has one. */
export function checkValues(template: Template, given: Readonly<Record<string, unknown>>): void {
  for (const option of template.options) {
    const written = given[option.name];
    if (typeof written === 'string') parse(option, written);
  }
}

function parse(option: TemplateOption, written: string): string[] {
  if (option.mayBeEmpty && written === '') return [];
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

/** The choices in the order of their options, with those that others imply. */
function withImplied(chosen: ReadonlyMap<TemplateOption, readonly string[]>): Choices {
  const features = new Set([...chosen.values()].flat());
  return Object.fromEntries(
    Array.from(chosen, ([{ name, choices, impliedBy = {} }, values]) => {
      const implied = (value: string): boolean =>
        impliedBy[value]?.some((each) => features.has(each)) ?? false;
      const all = choices.map(({ value }) => value);
      return [name, all.filter((value) => values.includes(value) || implied(value))];
    }),
  );
}
