import type { Assets } from '../index.js';
import { checkMessages } from './messages.js';
import type { Answers, Question } from './questions.js';
import { checkValue, generateCode } from './schema.js';

/** Characters of all texts of a question. */
export const LARGEST = 16 * 1024 * 1024;

/** What cannot be answered. The message says what to do. */
class EngineError extends Error {
  override readonly name = 'EngineError';
}

/**
 * Answers the questions of the page. It runs no code of a text, and reads and sends nothing.
 *
 * @throws {EngineError}
 */
export async function answer(
  question: Question,
  assets: Assets,
): Promise<Answers[Question['kind']]> {
  assertSize(question);
  try {
    return await ANSWERS[question.kind](question as never, assets);
  } catch (error) {
    if (!(error instanceof Error && LIMITS.includes(error.name))) throw error;
    throw new EngineError('The text is nested too deeply, or is too large for this page.', {
      cause: error,
    });
  }
}

/** Of the stack, or of the longest string. Firefox has a name of its own for the first. */
const LIMITS = ['RangeError', 'InternalError'];

const ANSWERS = {
  messages: checkMessages,
  schema: generateCode,
  value: checkValue,
} as const;

function assertSize(question: Question): void {
  const size = question.text.length + ('value' in question ? question.value.length : 0);
  if (size <= LARGEST) return;
  const megabytes = String(LARGEST / (1024 * 1024));
  throw new EngineError(
    `The text is longer than ${megabytes} million characters. Keep it in a file, and use the command line.`,
  );
}
