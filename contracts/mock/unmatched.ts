import { type ProtocolError, rpcError } from '../../runtime/peer/index.js';
import { ERROR_CODES } from '../../runtime/protocol.js';
import { nearest } from '../../json-schema/nearest.js';
import { quote } from '../../json-schema/text.js';
import { type Model, sampleName } from './model.js';
import { differencesOf, type RecordedRequest } from './request-key.js';

/** Differences that an error names. */
const SHOWN = 3;
/** Characters of arguments in an error. */
const LONGEST = 300;

/** The error that answers a request without a match. It names the nearest recorded one. */
export function unmatched(model: Model, asked: RecordedRequest): ProtocolError {
  const name = sampleName(asked);
  const [first] = (model.samples.get(name) ?? [])
    .map((exchange) => model.askedIn(exchange))
    .map((recorded) => ({ recorded, differences: differencesOf(recorded, asked) }))
    .sort((a, b) => a.differences.length - b.differences.length);
  if (first !== undefined) {
    const message = `No recorded answer to this request ${quote(name)}. ${differs(first.recorded, first.differences)}`;
    return rpcError(ERROR_CODES.InvalidParams, message);
  }
  const names = [...model.samples.keys()];
  const isMethod = names.some((each) => `${each} `.startsWith(`${asked.method} `));
  const similar = nearest(name, names);
  const hint = similar === undefined ? '' : ` The nearest recorded one is ${quote(similar)}.`;
  const code = isMethod ? ERROR_CODES.InvalidParams : ERROR_CODES.MethodNotFound;
  return rpcError(code, `No request ${quote(name)} was recorded.${hint}`);
}

function differs({ params }: RecordedRequest, differences: readonly string[]): string {
  const { _meta, ...own } = params;
  const what = JSON.stringify(params['arguments'] ?? own).slice(0, LONGEST);
  const places = differences.slice(0, SHOWN).map((each) => quote(each));
  const more = differences.length - places.length;
  const where =
    places.length === 0
      ? 'It was not answered'
      : `It differs at ${places.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `The nearest recorded one has ${what}. ${where}.`;
}
