import { type ProtocolError, rpcError } from '../../runtime/peer/index.js';
import { ERROR_CODES } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { nearest } from '../../json-schema/nearest.js';
import { jsonPointer } from '../../json-schema/pointer.js';
import { quote } from '../../json-schema/text.js';
import { type Model, sampleName } from './model.js';
import { type RecordedRequest, isLike, matchedPart } from './request-key.js';

/** Differences that an error names. */
const SHOWN = 3;
/** Values of one request that are compared. */
const MOST_VALUES = 1_000;
/** Characters of arguments in an error. */
const LONGEST = 300;

/** The error that answers a request without a match. It names the nearest recorded one. */
export function unmatched(model: Model | undefined, asked: RecordedRequest): ProtocolError {
  const name = sampleName(asked);
  const same = model?.samples.get(name) ?? [];
  if (model !== undefined && same.length > 0) return differs(model, asked, same);
  const names = [...(model?.samples.keys() ?? [])];
  const isMethod = names.some(
    (each) => each === asked.method || each.startsWith(`${asked.method} `),
  );
  const similar = nearest(name, names);
  const hint = similar === undefined ? '' : ` The nearest recorded one is ${quote(similar)}.`;
  const code = isMethod ? ERROR_CODES.InvalidParams : ERROR_CODES.MethodNotFound;
  return rpcError(code, `No request ${quote(name)} was recorded.${hint}`);
}

function differs(
  model: Model,
  asked: RecordedRequest,
  exchanges: readonly number[],
): ProtocolError {
  const [first] = exchanges
    .map((exchange) => ({ exchange, differences: differencesOf(model.askedIn(exchange), asked) }))
    .sort((a, b) => a.differences.length - b.differences.length);
  const { params } = model.askedIn(first?.exchange ?? 0);
  const name = sampleName(asked);
  const places = first?.differences.slice(0, SHOWN).map((each) => quote(each)) ?? [];
  const more = (first?.differences.length ?? 0) - places.length;
  const what = JSON.stringify(params['arguments'] ?? withoutMeta(params)).slice(0, LONGEST);
  const where =
    places.length === 0
      ? 'It was not answered'
      : `It differs at ${places.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const message = `No recorded answer to this request ${quote(name)}. The nearest recorded one has ${what}. ${where}.`;
  return rpcError(ERROR_CODES.InvalidParams, message);
}

function withoutMeta({ _meta, ...params }: JsonObject): JsonObject {
  return params;
}

/** The places at which params differ, as JSON pointers. */
function differencesOf(recorded: RecordedRequest, asked: RecordedRequest): string[] {
  const [, a] = matchedPart(recorded) as [string, unknown];
  const [, b] = matchedPart(asked) as [string, unknown];
  const found: string[] = [];
  const pending: [unknown, unknown, readonly string[]][] = [[a, b, []]];
  let values = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [x, y, path] = next;
    if ((values += 1) > MOST_VALUES) break;
    if (!isContainer(x) || !isContainer(y) || Array.isArray(x) !== Array.isArray(y)) {
      if (!isLike(x, y)) found.push(jsonPointer(path));
      continue;
    }
    for (const key of new Set([...Object.keys(x), ...Object.keys(y)])) {
      pending.push([own(x, key), own(y, key), [...path, key]]);
    }
  }
  return found;
}

function isContainer(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

function own(value: JsonObject, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
