import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { quote, systemFailure } from '../diagnostics/index.js';
import { RecordingError } from './error.js';

/** A file to which lines are appended. A line is in it as a whole, or not at all. */
export interface LinesFile {
  /** The end of what the file contained before: some of its last lines. */
  readonly before: string;
  /** Writes a line at once, so that a crash of this process loses none. @throws when the disk takes no more. */
  write(line: string): void;
  /** Removes the lines that this process wrote. */
  clear(): void;
  /** Deletes a new file when it is empty, so that its name can be used again. */
  close(): void;
}

const PRIVATE = 0o600;
const END_BYTES = 65_536;

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
  const before = endOf(file, stat);
  // The line that a crash has cut stays a line of its own.
  let prefix = before === '' || before.endsWith('\n') ? '' : '\n';
  let size = begin;

  return {
    before,
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

function endOf(file: number, { size }: Stats): string {
  const bytes = Buffer.alloc(Math.min(size, END_BYTES));
  readSync(file, bytes, 0, bytes.length, size - bytes.length);
  return bytes.toString();
}
