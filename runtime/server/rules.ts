import { isObject } from '../wire/json.js';
import { kindOf } from '../auth/index.js';

/**
 * Checks the definitions of authors at the start, for JavaScript and for TypeScript that is not strict: the types of
 * `defineTool` and its siblings forbid most of what is refused here.
 */

export interface Rule {
  readonly isRequired?: true;
  /** What the value has to be, as an error says it. */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

export type Rules = Readonly<Record<string, Rule>>;

/** A kind of definition. */
export interface DefinitionKind {
  /** As errors say it: `Tool`. */
  readonly noun: string;
  /** The function that makes one. */
  readonly maker: string;
  /** By the keys of a definition. */
  readonly rules: Rules;
  /** How others call the keys: the official SDK, the wire, and other frameworks. */
  readonly otherNames: Readonly<Record<string, string>>;
}

export const isText = (value: unknown): boolean => typeof value === 'string';
const isNamed = (value: unknown): boolean => isText(value) && value !== '';

export const TEXT: Rule = { expected: 'a text', accepts: isText };
export const NAME: Rule = {
  isRequired: true,
  expected: 'a text that is not empty',
  accepts: isNamed,
};
export const OBJECT: Rule = { expected: 'an object', accepts: isObject };
export const ICONS: Rule = { expected: 'a list of icons', accepts: Array.isArray };
export const FUNCTION: Rule = {
  expected: 'a function',
  accepts: (value) => typeof value === 'function',
};
/** Functions by names. */
export const FUNCTIONS: Rule = {
  expected: 'an object of functions',
  accepts: (value) => isObject(value) && Object.values(value).every(FUNCTION.accepts),
};
export const FLAG: Rule = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};
export const SCHEMA: Rule = {
  expected: 'a Zod 4 object schema: z.object({ … })',
  accepts: isObjectSchema,
};

export function oneOf(...values: readonly string[]): Rule {
  return {
    expected: `one of ${values.map((value) => `'${value}'`).join(', ')}`,
    accepts: (value) => values.includes(value as string),
  };
}

/** @throws {TypeError} that names the definition, the key and the mend. */
export function assertRules(kind: DefinitionKind, definition: unknown): void {
  const { maker, rules } = kind;
  if (!isObject(definition)) {
    throw new TypeError(`${maker} needs an object with a definition, not ${kindOf(definition)}`);
  }
  const subject = subjectOf(kind.noun, definition['name']);
  for (const key of Object.keys(definition)) {
    if (Object.hasOwn(rules, key)) continue;
    throw new TypeError(`${subject}: unknown key \`${key}\`: ${mendOf(kind, key)}`);
  }
  for (const [key, rule] of Object.entries(rules)) {
    const value = definition[key];
    if (value === undefined && rule.isRequired !== true) continue;
    if (value === undefined)
      throw new TypeError(`${subject}: \`${key}\` is missing: add ${rule.expected}`);
    if (rule.accepts(value)) continue;
    throw new TypeError(
      `${subject}: \`${key}\` must be ${rule.expected}, not ${shown(value)}${hint(value)}`,
    );
  }
}

/** How an error names a definition: `Tool "add"`, or `A tool` where it has no name. */
export function subjectOf(noun: string, name: unknown): string {
  return typeof name === 'string' && name !== ''
    ? `${noun} ${JSON.stringify(name.slice(0, 128))}`
    : `A ${noun.toLowerCase()}`;
}

function mendOf({ rules, otherNames }: DefinitionKind, key: string): string {
  const known = Object.hasOwn(otherNames, key) ? otherNames[key] : undefined;
  if (known !== undefined) return `call it \`${known}\`: ${rules[known]?.expected}`;
  return `remove it; a definition has ${Object.keys(rules).join(', ')}`;
}

function isObjectSchema(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { _zod: internals, safeParseAsync } = value;
  const isOfZod4 = isObject(internals) && typeof safeParseAsync === 'function';
  return isOfZod4 && isObject(internals['def']) && internals['def']['type'] === 'object';
}

/** What a schema of another kind needs. */
function hint(value: unknown): string {
  if (!isObject(value)) return '';
  if (isObject(value['_zod'])) return '. Put it into an object: z.object({ value: … })';
  if (isObject(value['_def'])) return '. It is a schema of Zod 3: use Zod 4';
  if ('~standard' in value) return '. It is the schema of another library: use Zod 4';
  if (typeof value['type'] === 'string')
    return '. It is JSON Schema: use z.fromJSONSchema(…) or z.object({ … })';
  const members = Object.values(value);
  const isShape =
    members.length > 0 && members.every((each) => isObject(each) && isObject(each['_zod']));
  return isShape ? '. Put z.object(…) around it' : '';
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 200));
  return Array.isArray(value) ? 'this list' : kindOf(value);
}
