import type { JsonObject } from '../../runtime/tasks/index.js';

/** An answer that JSON-RPC or the protocol does not allow, and where. */
export interface Malformed {
  readonly name: string;
  /** The member that is wrong, as a JSON Pointer. */
  readonly place: string;
  readonly message: JsonObject;
}

const ABSENT = Symbol('absent');

/** A value of each type of JSON. */
const VALUES: readonly unknown[] = [ABSENT, null, true, 1.5, 7, 'text', [1], { a: 1 }];

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  none: () => false,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  integer: Number.isInteger,
  text: (value) => typeof value === 'string',
  absent: (value) => value === ABSENT,
  '2.0': (value) => value === '2.0',
};

/** The members of an answer, with what may be there. */
const MEMBERS: readonly (readonly [kind: 'result' | 'error', path: string, types: string])[] = [
  ['result', 'jsonrpc', '2.0'],
  ['result', 'method', 'absent'],
  ['result', 'result', 'object'],
  ['result', 'result/_meta', 'object absent'],
  ['result', 'error', 'absent'],
  ['error', 'jsonrpc', '2.0'],
  ['error', 'method', 'absent'],
  ['error', 'error', 'none'],
  ['error', 'error/code', 'integer'],
  ['error', 'error/message', 'text'],
  ['error', 'result', 'absent'],
];

/** Answers to the request with this id, each wrong in one member: every member with every type of JSON. */
export function malformedAnswers(id: string | number, result: JsonObject): readonly Malformed[] {
  return MEMBERS.flatMap(([kind, path, types]) => {
    const allowed = types.split(' ').map((type) => TYPES[type] ?? TYPES['none']);
    return VALUES.filter((value) => !allowed.some((is) => is?.(value) === true)).map((value) => ({
      name: `${kind} with ${path} ${value === ABSENT ? 'absent' : JSON.stringify(value)}`,
      place: `/${path}`,
      message: changed(wholeAnswer(kind, id, result), path.split('/'), value),
    }));
  });
}

function wholeAnswer(
  kind: 'result' | 'error',
  id: string | number,
  result: JsonObject,
): JsonObject {
  return {
    jsonrpc: '2.0',
    id,
    ...(kind === 'result' ? { result } : { error: { code: -32000, message: 'No' } }),
  };
}

function changed(
  value: JsonObject,
  [name = '', ...inner]: readonly string[],
  wrong: unknown,
): JsonObject {
  const { [name]: old, ...others } = value;
  if (inner.length > 0) return { ...others, [name]: changed(old as JsonObject, inner, wrong) };
  return wrong === ABSENT ? others : { ...others, [name]: wrong };
}

/** Texts that are no JSON and begin as an answer to the request with this id does. */
export function brokenTexts(id: string | number, result: JsonObject): readonly string[] {
  const text = JSON.stringify({ jsonrpc: '2.0', id, result });
  const late = JSON.stringify({ result, jsonrpc: '2.0', id });
  return [
    text.slice(0, -1),
    text.slice(0, -2),
    `${text}}`,
    `${text.slice(0, -1)},}`,
    `${text.slice(0, -1)},"a":NaN}`,
    `${late.slice(0, -1)},"a":"\\x"}`,
    `${text} ${text}`,
  ];
}
