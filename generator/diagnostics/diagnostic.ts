import { printable } from '../../json-schema/text.js';

/** The problems of an input by code. A code never changes its meaning. */
export const DIAGNOSTICS = {
  'not-found': 'The file or revision does not exist.',
  'fetch-failed': 'The URL could not be read.',
  'too-large': 'The document exceeds a limit on size, definitions, depth or numbers.',
  'not-json': 'The text is not JSON.',
  'not-a-schema': 'The JSON is not a schema document.',
  'empty-document': 'The schema defines nothing.',
  'duplicate-definition': 'Two definitions have one name.',
  'bad-name': 'The name of a definition cannot be a name in TypeScript.',
  'malformed-keyword': 'A keyword has a value that JSON Schema does not allow.',
  'unsupported-keyword': 'A keyword, or a way of using it, is not supported.',
  'not-carried': 'No generated file contains a part of an OpenAPI document.',
  'ignored-siblings': 'Keywords beside a $ref mean nothing in the draft of the schema.',
  'unmatchable-pattern': 'A regular expression may take more than linear time.',
  'dangling-ref': 'Nothing is at the place that a $ref names.',
  'remote-ref': 'A $ref leaves the document.',
  'bad-ref': 'A document, folder or URI that --ref names cannot be used.',
  'unused-ref': 'A document is named with --ref, and nothing refers to it.',
  'circular-ref':
    'A definition consists of a reference to itself, so no value can be checked against it.',
  'unused-erratum': 'A correction no longer applies to the schema that it was made for.',
  'unused-fact': 'A fact that the generator knows about a revision no longer applies to its draft.',
  'unknown-method': 'A message has no fixed method, so the protocol tables do not contain it.',
  'unknown-sender': 'No schema says which side sends a message.',
  'unknown-result': 'A request has no definition of its result.',
  'unnamed-protocol': 'A protocol is named after its file, because its schema gives no name.',
  'missing-envelope': 'A schema with messages lacks the definitions of JSON-RPC messages.',
  'stale-protocol': 'A folder was generated with another version of the shared modules.',
  'name-clash': 'Two schemas would be generated into one folder.',
  'bad-config': 'The configuration file is not valid.',
  'bad-lock': 'A lock file is damaged, or of another version.',
  'bad-recording': 'A recording cannot be played back.',
  'bad-message': 'A message does not match the protocol.',
  'unreachable-server': 'A server could not be started, reached or understood.',
  'slow-server': 'An earlier revision is spoken because a server was slow.',
  'bad-tool': 'What a server says of a tool is not valid, so the tool cannot be called.',
  'renamed-tool': 'The functions of two tools would have the same name, so one has another name.',
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

/** The same for a text of several lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
