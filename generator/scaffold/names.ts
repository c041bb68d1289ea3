import { quote } from '../../json-schema/text.js';
import { ScaffoldError } from './template.js';

const NPM_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const NPM_LENGTH = 214;
const NPM_RESERVED = ['node_modules', 'favicon.ico'];

/** @throws {ScaffoldError} for a name that npm does not accept. */
export function checkProjectName(name: string): void {
  if (isProjectName(name)) return;
  const near = nearName(name);
  throw new ScaffoldError(
    `Invalid package name ${quote(name)}: ${flawOf(name)}.`,
    `Give another name, for example --name ${isProjectName(near) ? near : 'my-project'}`,
  );
}

function isProjectName(name: string): boolean {
  return NPM_NAME.test(name) && name.length <= NPM_LENGTH && !NPM_RESERVED.includes(name);
}

function flawOf(name: string): string {
  if (NPM_RESERVED.includes(name)) return 'npm does not allow it';
  if (name.length > NPM_LENGTH) return `it is longer than ${String(NPM_LENGTH)} characters`;
  if (/^[._]/.test(name)) return `it begins with "${name.slice(0, 1)}"`;
  return 'npm allows lower-case letters, digits, "-", "." and "_"';
}

/** `My Server` → `my-server`, `Café` → `cafe` */
function nearName(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .replaceAll(/^[-._]+|[-._]+$/g, '')
    .slice(0, 50);
}

/** Texts that YAML takes for something else. */
const YAML_WORD = /^(?:null|true|false|yes|no|on|off|y|n)$/;
/** Kubernetes takes 63 characters, with what the template adds. */
const LABEL_LENGTH = 50;

/** The name of a package as hosts, images and YAML take it: `my_shop.v2` → `my-shop-v2`, `2048` → `mcp-2048`. */
export function deployedNameOf(name: string): string {
  const plain = name
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LABEL_LENGTH)
    .replaceAll(/^-|-$/g, '');
  return /^[a-z]/.test(plain) && !YAML_WORD.test(plain) ? plain : `mcp-${plain || 'server'}`;
}

/** As the specification (2025-11-25, tool names) recommends. */
const PART_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * @throws {ScaffoldError} for a name that the specification does not recommend, and for one without a
 *   letter or digit, of which no file name can be made.
 */
export function checkPartName(kind: string, name: string): void {
  if (PART_NAME.test(name) && wordsOf(name).length > 0) return;
  throw new ScaffoldError(
    `Invalid ${kind} name ${quote(name)}.`,
    'Use up to 128 letters, digits, "_", "-" and ".", for example send_mail.',
  );
}

/** Names of devices, which Windows allows for no file. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** The list of the tools, and the test of the project. */
const OF_PROJECT = ['index', 'server'];

/** `send_mail`, `sendMail` and `Send.Mail` → `send-mail`: one file name on every file system. */
export function fileNameOf(part: string, kind = 'tool'): string {
  const name = wordsOf(part).join('-').toLowerCase();
  return OF_PROJECT.includes(name) || DEVICE.test(name) ? `${name}-${kind}` : name;
}

/** `send_mail` → `sendMail`, `HTTPGet2` → `httpGet2`; not always an identifier that is free. */
export function camelCaseOf(part: string): string {
  const [first = '', ...rest] = wordsOf(part).map((word) => word.toLowerCase());
  return first + rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

function wordsOf(part: string): string[] {
  return part.match(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g) ?? [];
}
