import { ERROR_CODES } from '../protocol/index.js';
import type { Dialect } from '../tasks/index.js';
import * as v20251125 from '../../generated/2025-11-25/validators.js';
import * as v20260728 from '../../generated/2026-07-28/validators.js';
import { wire as tasksWire } from '../../generated/ext-tasks/validators.js';

export interface Problem {
  readonly code: number;
  /** Contains each invalid field with its value. */
  readonly message: string;
  readonly faults: readonly Fault[];
}

interface Fault {
  readonly pointer: string;
  readonly expected: string;
  readonly message: string;
}

/**
 * The problem for logs and for readers other than the sender: without values, and only with the first
 * name of each path.
 */
export function withoutValues({ faults }: Problem): string {
  const texts = faults.map(({ pointer, expected }) => {
    const [name, ...inner] = pointer
      .replace(/^\/(params|result)(?=\/|$)/, '')
      .split('/')
      .slice(1);
    const place = name === undefined ? 'it' : `/${name}`;
    return `${inner.length > 0 ? 'a part of ' : ''}${place} must be ${expected}`;
  });
  return [...new Set(texts)].join('; ');
}

/** How messages of a revision are checked. */
export interface Revision {
  readonly version: string;
  /** `core` for the revisions that open sessions with `initialize`, up to 2025-11-25; `ext` for 2026-07-28. */
  readonly dialect: Dialect;
  /**
   * The problem of a message; undefined for a valid one, and for one whose method the revision does not
   * have.
   */
  check(
    message: unknown,
    from: 'client' | 'server',
    methodOf?: (id: string | number) => string | undefined,
  ): Problem | undefined;
  /** The problem of the result of a request. */
  checkResult(method: string, result: unknown): Problem | undefined;
  /**
   * The problem of a tool's result. Unlike `checkResult`, it does not accept the other answers to
   * `tools/call`, such as `input_required`, which has hardly any required field.
   */
  checkToolResult(result: unknown): Problem | undefined;
  /** The problem of a server's request to a client, in either form of the revision. */
  checkQuestion(method: string, params: unknown): Problem | undefined;
}

type Validators = Pick<
  typeof v20251125,
  'validateMessage' | 'validateResultOf' | 'validateCallToolResult'
>;
type Rejected = {
  readonly ok: false;
  readonly code: number;
  readonly errors: readonly Fault[];
};
type Judged = { readonly ok: true } | Rejected;

function revision(version: string, dialect: Dialect, validators: object): Revision {
  // Every generated module has these functions. They differ only in the types of their messages.
  const { validateMessage, validateResultOf, validateCallToolResult } = validators as Validators;
  const extensions = dialect === 'ext' ? [tasksWire] : [];
  return {
    version,
    dialect,
    check: (message, from, methodOf) =>
      problemOf(validateMessage(message, { from, extensions, maxErrors: MAX_ERRORS, methodOf })),
    checkResult: (method, result) =>
      problemOf(validateResultOf(method, result, { extensions, maxErrors: MAX_ERRORS })),
    checkQuestion(method, params) {
      const question = { method, params };
      if (dialect === 'ext') {
        const judged = v20260728.validateInputRequest(question, { maxErrors: MAX_ERRORS });
        return problemOf(judged.ok ? judged : { ...judged, code: INTERNAL_ERROR });
      }
      const request = { ...question, jsonrpc: '2.0', id: 0 };
      return problemOf(validateMessage(request, { from: 'server', maxErrors: MAX_ERRORS }));
    },
    checkToolResult(result) {
      const judged = validateCallToolResult(result, { maxErrors: MAX_ERRORS });
      return problemOf(judged.ok ? judged : { ...judged, code: INTERNAL_ERROR });
    },
  };
}

/** Enough to repair a message, and few enough to keep answers small. */
const MAX_ERRORS = 5;
const { MethodNotFound: METHOD_NOT_FOUND, InternalError: INTERNAL_ERROR } = ERROR_CODES;

function problemOf(judged: Judged): Problem | undefined {
  // Accepts methods of other extensions. The SDK refuses those without a handler.
  if (judged.ok || judged.code === METHOD_NOT_FOUND) return undefined;
  const { code, errors } = judged;
  return {
    code,
    faults: errors,
    message: errors.map(({ pointer, message }) => `${pointer || '/'}: ${message}`).join('; '),
  };
}

/** The revision of each dialect's messages. */
export const DIALECT_REVISIONS = {
  core: revision('2025-11-25', 'core', v20251125),
  ext: revision('2026-07-28', 'ext', v20260728),
} as const;

/** Newest first, as the SDK needs them. Validators of older revisions are loaded on demand. */
const LOADERS = {
  '2026-07-28': () => DIALECT_REVISIONS.ext,
  '2025-11-25': () => DIALECT_REVISIONS.core,
  '2025-06-18': async () =>
    revision('2025-06-18', 'core', await import('../../generated/2025-06-18/validators.js')),
  '2025-03-26': async () =>
    revision('2025-03-26', 'core', await import('../../generated/2025-03-26/validators.js')),
  '2024-11-05': async () =>
    revision('2024-11-05', 'core', await import('../../generated/2024-11-05/validators.js')),
} as const satisfies Record<string, () => Revision | Promise<Revision>>;

export type RevisionVersion = keyof typeof LOADERS;

/** Every revision that can be served, newest first. */
export const VERSIONS = Object.keys(LOADERS) as readonly RevisionVersion[];
const REQUIRED: readonly RevisionVersion[] = ['2025-11-25', '2026-07-28'];

/**
 * The revisions of these versions, newest first.
 *
 * @throws {RangeError} for an unknown version, and without 2025-11-25 and 2026-07-28.
 */
export async function loadRevisions(
  versions: readonly string[] = VERSIONS,
): Promise<readonly Revision[]> {
  const known: readonly string[] = VERSIONS;
  const unknown = versions.find((each) => !known.includes(each));
  if (unknown !== undefined) {
    throw new RangeError(
      `Unknown revision ${JSON.stringify(unknown)}: choose from ${known.join(', ')}`,
    );
  }
  const missing = REQUIRED.find((each) => !versions.includes(each));
  if (missing !== undefined) {
    throw new RangeError(`The revisions have to include ${missing}: add it to \`revisions\``);
  }
  const offered = VERSIONS.filter((each) => versions.includes(each));
  return Promise.all(offered.map(async (each) => await LOADERS[each]()));
}
