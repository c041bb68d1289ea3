import type { Diagnostic } from '../diagnostics/index.js';
import { SUPPORT_FOLDER } from '../emit/index.js';
import { isSafePath, MANIFEST_FILE } from '../write/index.js';
import type { Recipe, Wanted } from '../write/index.js';

/** One input of a run, before it is generated. */
export interface Job {
  /** The name in the manifest, and of the folder. */
  readonly name: string;
  /** The source, for messages. */
  readonly label: string;
  /** The hash of everything that decides what the files contain. */
  readonly hash: string;
  /** Absent where the input does not say how to record it. */
  readonly recipe: Recipe | undefined;
  readonly produce: () => Promise<Product>;
}

export interface Product {
  readonly wanted: Wanted;
  readonly diagnostics: readonly Diagnostic[];
}

/** What to do about a name that `isProtocolName` refuses. */
export const PROTOCOL_NAME_HELP =
  'Use letters, digits, "_", "-" and ".", and no reserved name, such as "support" or "con".';

/** Whether a name is allowed for a protocol's folder and is not reserved. */
export function isProtocolName(name: string): boolean {
  const free = ![MANIFEST_FILE, SUPPORT_FOLDER].includes(name.toLowerCase());
  return /^[A-Za-z0-9_][\w.-]*$/.test(name) && isSafePath(name) && free;
}
