import { quote } from '../diagnostics/index.js';
import { ScaffoldError } from './template.js';

const NPM_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const NPM_LENGTH = 214;
const NPM_RESERVED = ['node_modules', 'favicon.ico'];

/** @throws {ScaffoldError} for a name that npm does not accept. */
export function checkProjectName(name: string): void {
  const sound = NPM_NAME.test(name) && name.length <= NPM_LENGTH && !NPM_RESERVED.includes(name);
  if (sound) return;
  throw new ScaffoldError(
    `Invalid package name ${quote(name)}.`,
    'Give another name with --name: lower-case letters, digits, "-", "." and "_".',
  );
}

const TOOL_NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const TOOL_LENGTH = 64;

/** @throws {ScaffoldError} for a name that is not valid for a tool and its file. */
export function checkToolName(name: string): void {
  if (TOOL_NAME.test(name) && name.length <= TOOL_LENGTH && name !== 'index') return;
  throw new ScaffoldError(
    `Invalid tool name ${quote(name)}.`,
    'Use lower-case words with "-" between them, for example look-up.',
  );
}
