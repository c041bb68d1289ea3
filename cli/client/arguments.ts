import type { JsonObject } from '../../runtime/client/index.js';
import { UsageError } from './usage.js';
import { parseJson, parseObject } from './values.js';

/** The arguments of a tool. */
export interface Arguments {
  /** From `name:=json` and `--args`. */
  readonly values: JsonObject;
  /** From `name=text`: converted by the tool's schema. */
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * `limit:=100` is JSON, and `date=2026-01-01` a text. Of several with the same name the last counts. `whole` is an
 * object in JSON with arguments.
 *
 * @throws {UsageError}
 */
export function argumentsOf(words: readonly string[], whole: string | undefined): Arguments {
  const given = whole === undefined ? {} : parseObject('--args', whole);
  const values = new Map(Object.entries(given));
  const texts = new Map<string, string>();
  for (const word of words) {
    const [, name, how, value = ''] = /^([^=:]+)(:?=)(.*)$/s.exec(word) ?? [];
    if (name === undefined) {
      throw new UsageError(
        `Unexpected argument ${JSON.stringify(word)}.`,
        'An argument of a tool is name=value, or name:=json.',
      );
    }
    values.delete(name);
    texts.delete(name);
    if (how === '=') texts.set(name, value);
    else values.set(name, parseJson(word, value));
  }
  return { values: Object.fromEntries(values), texts: Object.fromEntries(texts) };
}

/** The arguments of a prompt, which are texts. @throws {UsageError} */
export function textsOf(words: readonly string[]): Readonly<Record<string, string>> {
  const { values, texts } = argumentsOf(words, undefined);
  if (Object.keys(values).length === 0) return texts;
  throw new UsageError('The arguments of prompts are texts.', 'Use name=value.');
}
