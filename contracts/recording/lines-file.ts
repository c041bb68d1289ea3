import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { systemFailure } from '../../generator/diagnostics/index.js';
import { quote } from '../../json-schema/text.js';
import { RecordingError } from './error.js';

/** A file to which lines are appended. A line is in it as a whole, or not at all. */
export interface LinesFile {
  /** What the file contained before, in pieces that overlap: the first characters of a line are together in one. */
  readonly before: Iterable<string>;
  /** Writes a line at once, so that a crash of this process loses none. @throws when the disk takes no more. */
  write(line: string): void;
  /** Removes the lines that this process wrote. */
  clear(): void;
  /** Deletes a new file when it is empty, so that its name can be used again. */
  close(): void;
}

const PRIVATE = 0o600;
const PIECE_BYTES = 1_048_576;
const OVERLAP_BYTES = 256;

/**
 * Creates the file, which only its user may read. With `append` it may exist already.
 *
 * @throws {RecordingError}
 */
export function openLinesFile(path: string, append: boolean): LinesFile {
  const file = open(path, append);
  const stat = fstatSync(file);
  if (!stat.isFile()) {
    closeSync(file);
    throw new RecordingError(`${quote(path)} is not a file.`, 'Name a new file.');
  }
  const begin = stat.size;
  // The line that a crash has cut stays a line of its own.
  let prefix = begin === 0 || textAt(file, begin - 1, 1) === '\n' ? '' : '\n';
  let size = begin;

  return {
    before: piecesOf(file, begin),
    write(line) {
      const bytes = Buffer.from(prefix + line);
      try {
        for (let written = 0; written < bytes.length;) {
          written += writeSync(file, bytes, written);
        }
        size += bytes.length;
        prefix = '';
      } catch (error) {
        // A part of the line may have found room.
        ftruncateSync(file, size);
        throw error;
      }
    },
    clear() {
      ftruncateSync(file, begin);
      size = begin;
    },
    close() {
      closeSync(file);
      if (!append && size === 0) unlinkSync(path);
    },
  };
}

function open(path: string, append: boolean): number {
  try {
    return openSync(path, append ? 'a+' : 'ax', PRIVATE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new RecordingError(
        `The recording ${quote(path)} exists already.`,
        'Name a new file, because a recording is one conversation.',
        { cause: error },
      );
    }
    const reason = systemFailure(error)?.reason ?? String(error);
    throw new RecordingError(
      `The recording ${quote(path)} cannot be written: ${reason}.`,
      'Name a file in a folder that you may write to.',
      { cause: error },
    );
  }
}

function* piecesOf(file: number, size: number): Generator<string> {
  for (let start = 0; start < size; start += PIECE_BYTES - OVERLAP_BYTES) {
    yield textAt(file, start, Math.min(PIECE_BYTES, size - start));
  }
}

function textAt(file: number, start: number, length: number): string {
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, start);
  return bytes.toString('latin1');
}
