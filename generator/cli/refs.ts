import { quote } from '../diagnostics/index.js';
import type { Ref } from '../load/index.js';
import type { OptionTable } from './command.js';
import { UsageError } from './exit.js';

/** The option of every command that reads a schema's file. */
export const REF_OPTION = {
  ref: {
    type: 'string',
    array: true,
    nargs: 1,
    requiresArg: true,
    describe: 'A document that references lead to, <uri>=<file>; may be repeated',
  },
} as const satisfies OptionTable;

/** The last `=` separates, because a URI may contain others. @throws {UsageError} */
export function parseRefs(written: readonly string[] = []): Ref[] {
  return written.map((text) => {
    const end = text.lastIndexOf('=');
    const [uri, file] = [text.slice(0, Math.max(end, 0)), text.slice(end + 1)];
    if (uri !== '' && file !== '') return { uri, file };
    throw new UsageError(
      `--ref needs a URI and a file, not ${quote(text)}.`,
      'For example: --ref https://example.com/common.json=./common.json',
    );
  });
}
