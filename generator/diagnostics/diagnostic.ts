/** The problems of an input by code. A code never changes its meaning. */
export const DIAGNOSTICS = {
  'not-found': 'The file or revision does not exist.',
  'fetch-failed': 'The URL could not be read.',
  'too-large': 'The document exceeds a limit on size, definitions, depth or numbers.',
  'not-json': 'The text is not JSON.',
  'not-a-schema': 'The JSON is not a schema document.',
  'empty-document': 'The schema defines nothing.',
  'duplicate-definition': 'Two definitions have one name.',
  'bad-name': 'A definition cannot be named so in TypeScript.',
  'malformed-keyword': 'A keyword has a value that JSON Schema does not allow.',
  'unsupported-keyword': 'A keyword, or a way of using it, is not supported.',
  'ignored-siblings': 'Keywords beside a $ref mean nothing in the draft of the schema.',
  'unmatchable-pattern': 'A regular expression may take more than linear time.',
  'dangling-ref': 'A $ref points at nothing.',
  'remote-ref': 'A $ref leaves the document.',
  'bad-ref': 'A document cannot be named so with --ref.',
  'unused-ref': 'A document is named with --ref, and nothing refers to it.',
  'circular-ref': 'A definition refers to itself without saying anything.',
  'skipped-definition': 'A definition is left out because of one that it refers to.',
  'unused-erratum': 'A correction no longer applies to the schema that it was made for.',
  'unused-fact': 'What is known about a revision beside its schema no longer applies to its draft.',
  'unknown-method': 'A message has no fixed method, so the protocol tables do not contain it.',
  'unknown-sender': 'No schema says which side sends a message.',
  'unknown-result': 'No definition describes a result of a request.',
  'unnamed-protocol': 'Nothing but its file says what a protocol is called.',
  'missing-envelope': 'A schema with messages has no definitions of the messages of JSON-RPC.',
  'stale-protocol': 'A folder was generated for other shared modules than are written now.',
  'name-clash': 'Two schemas would be generated into one folder.',
  'bad-config': 'The configuration file is not valid.',
  'bad-lock': 'A lock file is damaged, or of another version.',
  'bad-recording': 'A recording cannot be played back.',
  'bad-message': 'A message does not match the protocol.',
  'unreachable-server': 'A server could not be started, reached or understood.',
  'bad-tool': 'A tool cannot be called by what its server says of it.',
  'renamed-tool': 'A tool goes by another name than its own, which another tool has.',
} as const;

export type DiagnosticCode = keyof typeof DIAGNOSTICS;

/** A problem with an input: a schema, a message, a server or a setting. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: 'error' | 'warning';
  /** One sentence about what is wrong. Names and values of the input are quoted and cut. */
  readonly message: string;
  /** The revision, file or URL. */
  readonly source?: string;
  /** The place in the document, as a JSON pointer (RFC 6901). */
  readonly pointer?: string;
  /** One sentence about what to do. */
  readonly help?: string;
}

/** Thrown when an input cannot be used at all. */
export class DiagnosticError extends Error {
  override readonly name = 'DiagnosticError';

  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(({ message }) => message).join('\n'));
  }
}

/** RFC 6901: `['a/b', 0]` → `/a~1b/0`. */
export function jsonPointer(path: readonly (string | number)[]): string {
  return path
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

const SHOWN_LENGTH = 80;

/** An untrusted text on one line, cut and quoted, safe on a terminal. */
export function quote(text: string): string {
  const short = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
  return printable(JSON.stringify(short));
}

/**
 * The text with all invisible characters escaped as in JSON: controls, line ends, and characters that
 * change direction or join letters. A terminal interprets them, and two names can differ only in them.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      const unit = character.charCodeAt(index).toString(16);
      return `\\u${unit.padStart(4, '0')}`;
    }).join(''),
  );
}
