import type { Scope } from './scope.js';

/** The functions that every revision exports, beside those of its definitions. */
export const WIRE_FUNCTIONS = ['validateMessage', 'validateResultOf'];

/** The differences of a revision's messages from those of others. */
export interface WireDialect {
  /** The definitions of answers. */
  readonly response: string;
  readonly error: string;
  /** Whether a message may be an array of messages. */
  readonly batches: boolean;
  /** Whether an error without a request has `id: null` instead of no `id`. */
  readonly nullId: boolean;
}

/** The exports that check messages: the revision's types for the functions of the support modules. */
export function wireFunctions(dialect: WireDialect, scope: Scope): string {
  for (const name of ['MessageTypes', 'MessagesOf', 'Rejected', 'ResultOf']) {
    scope.type('wire', name);
  }
  scope.type('protocol', 'Party');
  for (const name of ['ResultOptions', 'Undecoded', 'Wire', 'WireOptions']) {
    scope.type('wire', name);
  }
  return [
    received(dialect, scope),
    dialect.batches ? batchTypes(scope) : '',
    messageFunctions(dialect, scope),
    resultFunction(scope),
  ].join('');
}

function received({ response, error }: WireDialect, scope: Scope): string {
  const answer = scope.type('wire', 'Answer');
  const message = scope.type('wire', 'ReceivedMessage');
  return `
/** An answer; its result is checked where \`methodOf\` knows the method. */
export type ReceivedAnswer = ${answer}<types.${response}, types.${error}>;

/** A valid message, by what it is. */
export type Received<T extends MessageTypes[Party]> = ${message}<T, ReceivedAnswer>;
`;
}

function batchTypes(scope: Scope): string {
  const type = (name: string): string =>
    `export type ${name}Batch<T extends MessageTypes[Party]> = ` +
    `${scope.type('batch', `${name}Items`)}<Received<T>>;\n`;
  return `
/** A batch of valid messages. */
${type('Received')}
/** A batch with invalid messages: \`items\` contains the verdicts, \`errors\` all errors. */
${type('Rejected')}
/** \`replies\` is the batch to answer with; those of the good items join it. */
${type('Undecoded')}`;
}

const PARAMETERS = '<P extends Party, W extends readonly Wire[] = []>';
const SENT = '(Messages | MessagesOf<W>)[P]';

function messageFunctions({ batches, nullId }: WireDialect, scope: Scope): string {
  const judge = batches ? scope.value('batch', 'judgeAll') : scope.value('message', 'judge');
  const decode = batches
    ? scope.value('batch', 'decodeAll')
    : scope.value('decode', 'decodeMessage');
  const result = (refused: string): string =>
    batches
      ? `\n  | Received<${SENT}>\n  | ReceivedBatch<${SENT}>\n  | ${refused}\n  | ${refused}Batch<${SENT}>`
      : ` Received<${SENT}> | ${refused}`;
  const message = batches ? 'a message or a batch' : 'a message';
  return `
/** Checks ${message}: requests and notifications by method, results by the method of their request. */
export function validateMessage${PARAMETERS}(
  value: unknown,
  options: WireOptions<P, W>,
):${result('Rejected')} {
  return ${judge}(revision, value, options);
}

/**
 * Reads text or UTF-8 bytes as ${batches ? 'a message or a batch' : 'a message'}: its kind and value, or its errors and
 * the JSON-RPC error to answer with.
 */
export function decode${PARAMETERS}(
  input: string | Uint8Array,
  options: WireOptions<P, W>,
):${result('Undecoded')} {
  return ${decode}(revision, input, options, ${nullId ? '{ id: null }' : '{}'});
}
`;
}

function resultFunction(scope: Scope): string {
  return `
/** Checks a result by the method of its request. */
export function validateResultOf<K extends string, W extends readonly Wire[] = []>(
  method: K,
  result: unknown,
  options?: ResultOptions<W>,
): { readonly ok: true; readonly value: ResultOf<Messages | MessagesOf<W>, K> } | Rejected {
  return ${scope.value('message', 'judgeResult')}(wire, method, result, options);
}
`;
}
