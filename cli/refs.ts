import { quote } from '../json-schema/text.js';
import { ANY_URI, type Ref } from '../generator/read/load/index.js';
import type { OptionTable } from './command.js';
import { UsageError } from './exit.js';

/** The option of every command that reads a schema's file. */
export const REF_OPTION = {
  ref: {
    type: 'string',
    array: true,
    nargs: 1,
    requiresArg: true,
    describe: 'Documents that references lead to: a folder, or <uri>=<file>; may be repeated',
  },
} as const satisfies OptionTable;

/** The last `=` separates, because a URI may contain others. @throws {UsageError} */
export function parseRefs(written: readonly string[] = []): Ref[] {
  return written.map((text) => {
    const end = text.lastIndexOf('=');
    if (end < 0 && text !== '') return { uri: ANY_URI, file: text };
    const [uri, file] = [text.slice(0, Math.max(end, 0)), text.slice(end + 1)];
    if (uri !== '' && file !== '') return { uri, file };
    throw new UsageError(
      `--ref needs a folder, or a URI and a file, not ${quote(text)}.`,
      'For example: --ref https://example.com/common.json=./common.json',
    );
  });
}
