import { unpacked } from './gzip.js';
import type { Tally } from './tally.js';
import { validateChunks } from './validate-chunks.js';
import type { ValidateOptions } from './validate-chunks.js';

/** Checks the bytes of a file as `validateChunks` does. Those of a gzip file are unpacked first. */
export function validateInput(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  options: ValidateOptions,
): Promise<Tally> {
  return validateChunks(file, (onProblem) => unpacked(chunks, onProblem), options);
}
