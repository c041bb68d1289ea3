/** Source of the exported functions that read the wire. */

const TYPE_PARAMETERS = '<P extends Party, W extends readonly Wire[] = []>';
const RECEIVED = 'Received<(Messages | MessagesOf<W>)[P]>';

export const MESSAGE = `
/** Checks a message as it came off the wire: by its method, or by what it answers. */
export function validateMessage${TYPE_PARAMETERS}(
  value: unknown,
  options: WireOptions<P, W>,
): ${RECEIVED} | Rejected {
  return judge(value, options);
}

/**
 * Reads text or UTF-8 bytes as a message: what it is and its value, or what is wrong with it and
 * the JSON-RPC error to answer with.
 */
export function decode${TYPE_PARAMETERS}(
  input: string | Uint8Array,
  options: WireOptions<P, W>,
): ${RECEIVED} | Undecoded {
  const parsed = parse(input);
  if (!parsed.ok) return answerable(parsed, undefined);
  return answerable(judge(parsed.value, options), parsed.value);
}
`;

/** For the revision whose messages may be arrays of messages. */
export const BATCH_MESSAGE = `
/** Every message of the batch is valid. */
export interface ReceivedBatch<T extends MessageTypes[Party]> {
  readonly ok: true;
  readonly kind: 'batch';
  readonly items: readonly Received<T>[];
}

/**
 * Some message of the batch is not valid: \`items\` says which, \`errors\` what is wrong. Messages
 * after the one that is invalid number \`maxErrors\` are not looked at, nor in \`items\`.
 */
export interface RejectedBatch<T extends MessageTypes[Party]> extends Rejected {
  readonly items: readonly (Received<T> | Rejected)[];
}

/** \`replies\` is the batch to answer with; those of the good items join it. */
export interface UndecodedBatch<T extends MessageTypes[Party]> extends Rejected {
  readonly items: readonly (Received<T> | Undecoded)[];
  readonly replies: readonly ErrorReply[];
}

/** Checks a message, or a batch, as it came off the wire: by its method, or by what it answers. */
export function validateMessage${TYPE_PARAMETERS}(
  value: unknown,
  options: WireOptions<P, W>,
):
  | ${RECEIVED}
  | ReceivedBatch<(Messages | MessagesOf<W>)[P]>
  | Rejected
  | RejectedBatch<(Messages | MessagesOf<W>)[P]> {
  return several(value)
    ? (judgeBatch(value, options, (judged) => judged) as never)
    : judge(value, options);
}

/**
 * Reads text or UTF-8 bytes as a message or a batch: what it is and its value, or what is wrong
 * with it and the JSON-RPC error to answer with.
 */
export function decode${TYPE_PARAMETERS}(
  input: string | Uint8Array,
  options: WireOptions<P, W>,
):
  | ${RECEIVED}
  | ReceivedBatch<(Messages | MessagesOf<W>)[P]>
  | Undecoded
  | UndecodedBatch<(Messages | MessagesOf<W>)[P]> {
  const parsed = parse(input);
  if (!parsed.ok) return answerable(parsed, undefined);
  const { value } = parsed;
  if (several(value)) {
    const judged = judgeBatch(value, options, answerable);
    const replies = judged.items.flatMap((item) => ('reply' in item ? (item.reply ?? []) : []));
    return ('code' in judged ? { ...judged, replies } : judged) as never;
  }
  return answerable(judge(value, options), value);
}

function several(value: unknown): value is readonly unknown[] {
  return list(value) && value.length > 0;
}

function judgeBatch<J extends { readonly ok: boolean }>(
  values: readonly unknown[],
  options: WireOptions,
  finish: (judged: Judged, value: unknown) => J,
): { readonly items: readonly J[] } {
  const limit = Math.max(1, options.maxErrors ?? 100);
  const items: J[] = [];
  const errors: ValidationError[] = [];
  let code: ErrorCode | undefined;
  let bad = 0;
  for (let index = 0; index < values.length && bad < limit; index++) {
    const maxErrors = Math.max(1, limit - errors.length);
    const judged = judge(values[index], { ...options, maxErrors }, undefined, [index]);
    items.push(finish(judged, values[index]));
    if (judged.ok) continue;
    bad++;
    code ??= judged.code;
    errors.push(...judged.errors.slice(0, limit - errors.length));
  }
  const judged = code === undefined ? { ok: true, kind: 'batch' } : { ok: false, code, errors };
  return { ...judged, items };
}
`;

interface KindSource {
  /** The documentation and the wire's signature. */
  readonly overload: string;
  /** The body where the definition is not there. */
  readonly alone: string;
  readonly wire: string;
  readonly definition: string;
}

function kind(name: 'Request' | 'Notification'): KindSource {
  const word = name.toLowerCase();
  const returns = `Received${name}<(Messages | MessagesOf<W>)[P]['${word}']> | Rejected`;
  const head = `${TYPE_PARAMETERS}(\n  value: unknown,\n  options: WireOptions<P, W>,\n): ${returns}`;
  return {
    overload: `\n/** With \`from\`: a ${word} as it came off the wire, by its method. */\nexport function validate${name}${head}`,
    alone: ` {\n  return judge(value, options, '${word}') as never;\n}\n`,
    wire: `;\n/** Without: the definition of that name. */\nexport function validate${name}(\n  value: unknown,\n  options?: ValidationOptions,\n): Validation<types.${name}>;\n`,
    definition: `export function validate${name}(
  value: unknown,
  options?: ValidationOptions & { readonly from?: Party },
): Judged | Validation<types.${name}> {
  return options?.from === undefined
    ? validation(checkOWN, shapeOWN, value, options)
    : judge(value, options as WireOptions, '${word}');
}
`,
  };
}

const RESULT_TYPES = '<K extends string, W extends readonly Wire[] = []>';
const RESULT: KindSource = {
  overload: `
/** With two arguments or more: a result, by the method that it answers. */
export function validateResult${RESULT_TYPES}(
  method: K,
  result: unknown,
  options?: ResultOptions<W>,
): { readonly ok: true; readonly value: ResultOf<Messages | MessagesOf<W>, K> } | Rejected`,
  alone: ' {\n  return judgeResult(method, result, options);\n}\n',
  wire: `;
/** With one argument: the definition of that name. It has no options; \`isResult\` takes them. */
export function validateResult(value: unknown): Validation<types.Result>;
`,
  definition: `export function validateResult(
  ...args: readonly [unknown, unknown?, ResultOptions?]
): JudgedResult {
  const [first, result, options] = args;
  return args.length > 1
    ? judgeResult(first as string, result, options)
    : (validation(checkOWN, shapeOWN, first, undefined) as never);
}
`,
};

export const KINDS = {
  Request: kind('Request'),
  Notification: kind('Notification'),
  Result: RESULT,
} as const;
