import { METHODS } from '../protocol.js';
import { taskError } from './errors.js';
import { encode, isObject } from './json.js';
import type { InputAnswer, InputEntry, JsonObject, JsonText, TaskRecord } from './record.js';
import type { Patch } from './transitions.js';

/**
 * A record keeps a list of its requests for input, in order, with their answers. The list outlives the
 * process: a handler that runs again gets the answers that were already given, and the requestor is not
 * asked twice.
 */

/** What the requestor still has to answer. */
export function outstanding(input: readonly InputEntry[]): readonly InputEntry[] {
  return input.filter(isOpen);
}

function isOpen(entry: InputEntry): boolean {
  return entry.answer === undefined && entry.withdrawn === undefined;
}

/** The status of a live task with these requests for input. */
function withInput(input: readonly InputEntry[]): Patch {
  return { input, status: input.some(isOpen) ? 'input_required' : 'working' };
}

export interface Question {
  readonly key: string;
  readonly method: string;
  readonly params: JsonText;
}

/**
 * The entry of a question, and the change that records it, if any.
 *
 * A later run that asks the same question gets its old entry. A run that asks another question under the
 * same key withdraws the old entry and gets a new key, because a key never changes its meaning.
 */
export function ask(
  record: TaskRecord,
  question: Question,
): { readonly key: string; readonly patch?: Patch } {
  const { method, params } = question;
  const isEarlier = ({ key, name = key }: InputEntry): boolean => name === question.key;
  const same = record.input.find(
    (entry) =>
      isEarlier(entry) &&
      entry.withdrawn === undefined &&
      entry.method === method &&
      entry.params === params,
  );
  const isLeft = (entry: InputEntry): boolean =>
    entry !== same && isEarlier(entry) && isOpen(entry);
  if (same !== undefined && !record.input.some(isLeft)) return { key: same.key };
  const entries = record.input.map((entry) =>
    isLeft(entry) ? { ...entry, withdrawn: true as const } : entry,
  );
  if (same !== undefined) return { key: same.key, patch: withInput(entries) };
  let { key } = question;
  while (entries.some((entry) => entry.key === key)) key += `~${record.fence}`;
  const name = key === question.key ? {} : { name: question.key };
  return { key, patch: withInput([...entries, { ...question, key, ...name }]) };
}

/**
 * The change that records the answers to open questions, or undefined when there is none. Only the keys
 * of open questions are looked up, so answers to other keys are ignored, however many there are.
 */
export function answer(
  record: TaskRecord,
  answerTo: (key: string) => JsonText | undefined,
): Patch | undefined {
  const input = record.input.map((entry) => {
    const given = isOpen(entry) ? answerTo(entry.key) : undefined;
    return given === undefined ? entry : { ...entry, answer: given };
  });
  return input.some((entry, index) => entry !== record.input[index]) ? withInput(input) : undefined;
}

/** The id of a question by URL. */
export function elicitationOf({ method, params }: InputEntry): string | undefined {
  if (method !== METHODS.elicitationCreate) return undefined;
  const { mode, elicitationId } = JSON.parse(params) as JsonObject;
  return mode === 'url' && typeof elicitationId === 'string' ? elicitationId : undefined;
}

/** The change that marks entries as completed, or undefined when they are. */
export function completed(
  input: readonly InputEntry[],
  isOf: (entry: InputEntry) => boolean,
): Patch | undefined {
  if (!input.some((entry) => isOf(entry) && entry.completed === undefined)) return undefined;
  return { input: input.map((entry) => (isOf(entry) ? { ...entry, completed: true } : entry)) };
}

/** Answers by key, as they arrive: unchecked. */
export type Answers = { readonly [key: string]: InputAnswer };

/** The answer to a key as text, if there is one. Throws `invalid_params` for one that is malformed. */
export function readAnswer(answers: Answers, key: string, maxBytes: number): JsonText | undefined {
  if (!isObject(answers)) throw taskError('invalid_params', 'Answers must be an object');
  if (!Object.hasOwn(answers, key)) return undefined;
  const given: unknown = answers[key];
  if (!isAnswer(given)) {
    throw taskError('invalid_params', `The answer to ${key} must hold a result or an error object`);
  }
  const encoded = encode(given, maxBytes);
  if ('text' in encoded) return encoded.text;
  throw taskError(
    'invalid_params',
    `The answer to ${key} is ${encoded.problem}: ${encoded.detail}`,
  );
}

function isAnswer(value: unknown): value is InputAnswer {
  if (!isObject(value)) return false;
  if ('result' in value) return isObject(value['result']);
  const error = value['error'];
  return (
    isObject(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string'
  );
}
