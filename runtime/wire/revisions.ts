import type { Dialect } from '../tasks/index.js';
import * as v20251125 from '../../generated/2025-11-25/validators.js';
import { ERROR_CODES } from '../../generated/2026-07-28/protocol.js';
import * as v20260728 from '../../generated/2026-07-28/validators.js';
import { wire as tasksWire } from '../../generated/ext-tasks/validators.js';

export interface Problem {
  readonly code: number;
  /** Names each field that is wrong, and the value that it has. */
  readonly message: string;
  readonly faults: readonly Fault[];
}

interface Fault {
  readonly pointer: string;
  readonly expected: string;
  readonly message: string;
}

/** A problem for logs and for others than the sender: no value, and of names only the first. */
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
  /** What is wrong with a message; nothing for one that is valid, or whose method the revision does not know. */
  check(
    message: unknown,
    from: 'client' | 'server',
    methodOf?: (id: string | number) => string | undefined,
  ): Problem | undefined;
  /** What is wrong with the result of a request. */
  checkResult(method: string, result: unknown): Problem | undefined;
  /**
   * What is wrong with what a tool returned. `tools/call` may be answered with more than that, and an
   * answer that asks for input has hardly a field that it must have.
   */
  checkToolResult(result: unknown): Problem | undefined;
  /** What is wrong with what a server asks a client, however the revision carries it. */
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
  // Every generated module has these functions; they differ in the types of their messages only.
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

/** Enough to repair a message by; more would only help to make answers large. */
const MAX_ERRORS = 5;
const { MethodNotFound: METHOD_NOT_FOUND, InternalError: INTERNAL_ERROR } = ERROR_CODES;

function problemOf(judged: Judged): Problem | undefined {
  // Methods of other extensions are their handlers' business; the SDK refuses those that have none.
  if (judged.ok || judged.code === METHOD_NOT_FOUND) return undefined;
  const { code, errors } = judged;
  return {
    code,
    faults: errors,
    message: errors.map(({ pointer, message }) => `${pointer || '/'}: ${message}`).join('; '),
  };
}

/** The revision in which each dialect's messages are written. */
export const DIALECT_REVISIONS = {
  core: revision('2025-11-25', 'core', v20251125),
  ext: revision('2026-07-28', 'ext', v20260728),
} as const;

/** Newest first, as the SDK wants them. Validators of older revisions are loaded when they are asked for. */
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
