import { METHODS } from '../../protocol.js';
import type { JsonObject } from '../../tasks/index.js';
import {
  decodedHeader,
  headerText,
  isAscii,
  nameParameter,
} from '../../peer/wire/mirrored-headers.js';
import { at, beginningOf, isObject, member } from '../../peer/wire/json.js';
import type { Incoming } from './incoming.js';
import { mismatch, type Refused, trimmed } from './reply.js';

const MISSING = '(missing)';

type WithHeaders = Pick<Incoming, 'header' | 'headerNames'>;

/**
 * Refuses a request without the headers that repeat parts of its body, or with one that contradicts the body. Without
 * `inputSchemaOf`, those that repeat arguments are not checked.
 */
export function refuseHeaders(
  incoming: WithHeaders,
  message: JsonObject,
  inputSchemaOf: ((tool: string) => unknown) | undefined,
): Refused | undefined {
  const refused = refuseStandard(incoming, message);
  if (refused !== undefined || inputSchemaOf === undefined) return refused;
  return refuseParams(incoming, message, inputSchemaOf);
}

function refuseStandard(incoming: WithHeaders, message: JsonObject): Refused | undefined {
  const method = String(message['method']);
  const shown = beginningOf(method);
  if (incoming.header('mcp-protocol-version') === null) {
    const what = 'names a protocol version but the required MCP-Protocol-Version header is absent';
    return mismatch(MISSING, `the body envelope ${what}`);
  }
  if (incoming.header('mcp-method') === null) {
    const what = `names method ${shown} but the required Mcp-Method header is absent`;
    return mismatch(MISSING, `the body ${what}`);
  }
  const parameter = nameParameter(method);
  return parameter === undefined ? undefined : refuseName(incoming, message, parameter);
}

function refuseName(
  incoming: WithHeaders,
  message: JsonObject,
  parameter: string,
): Refused | undefined {
  const given = at(message, ['params', parameter]);
  const name = typeof given === 'string' ? given : undefined;
  const header = incoming.header('mcp-name');
  // Nearly all names are written as they are.
  if (header !== null && header === name && !name.startsWith('=?') && isAscii(name)) {
    return undefined;
  }
  if (header === null) {
    if (name === undefined) return undefined;
    const what = `carries params.${parameter}="${beginningOf(name)}" but the required Mcp-Name header is absent`;
    return mismatch(MISSING, `the body ${what}`);
  }
  const written = trimmed(header) ?? '';
  const value = decodedHeader(written);
  if (value === undefined) {
    return mismatch(written, 'the Mcp-Name header is neither ASCII nor valid Base64 of UTF-8');
  }
  if (name === value) return undefined;
  const carried =
    name === undefined ? `no params.${parameter}` : `params.${parameter}="${beginningOf(name)}"`;
  const what = `carries ${carried} but the Mcp-Name header names "${value}"`;
  return mismatch(written, `the body ${what}`);
}

const PREFIX = 'mcp-param-';

/** An argument that the schema of a tool wants repeated in a header. */
interface Mirrored {
  /** As the schema spells it. */
  readonly label: string;
  /** In lower case. */
  readonly header: string;
  readonly path: readonly string[];
  readonly isNumber: boolean;
}

/** By schema: a tool's is the same object in every call. */
const known = new WeakMap<object, readonly Mirrored[]>();

function refuseParams(
  incoming: WithHeaders,
  message: JsonObject,
  inputSchemaOf: (tool: string) => unknown,
): Refused | undefined {
  const tool = message['method'] === METHODS.toolsCall ? at(message, TOOL) : undefined;
  const mirrored = typeof tool === 'string' ? mirroredIn(inputSchemaOf(tool)) : NONE;
  const expected = new Set<string>();
  for (const each of mirrored) {
    const value = at(message, [...ARGUMENTS, ...each.path]);
    if (value === undefined || value === null) continue;
    expected.add(each.header);
    const refused = refuseParam(incoming.header(each.header), each, value);
    if (refused !== undefined) return refused;
  }
  let first: string | undefined;
  for (const name of incoming.headerNames()) {
    if (!name.startsWith(PREFIX) || expected.has(name)) continue;
    // The order of headers is the host's, so it does not choose which is named.
    if (first === undefined || name < first) first = name;
  }
  if (first === undefined) return undefined;
  // A gateway that routed the request by such a header saw a value that the tool never gets.
  return mismatch(first, `the call has no argument for the header ${first}`);
}

const TOOL = ['params', 'name'];
const ARGUMENTS = ['params', 'arguments'];
const NONE: readonly Mirrored[] = [];
const DECIMAL = /^-?\d+(\.\d+)?$/;

function refuseParam(
  header: string | null,
  { label: name, path, isNumber }: Mirrored,
  value: unknown,
): Refused | undefined {
  const text = headerText(value);
  const argument = `${path.join('.')}=${beginningOf(JSON.stringify(value))}`;
  if (text === undefined) {
    // The tool says what is wrong with a value of another type.
    if (header === null && typeof value !== 'number') return undefined;
    return mismatch(name, `no ${name} header can repeat ${argument} of the body`);
  }
  if (header === null) {
    return mismatch(name, `the body carries ${argument} but the ${name} header is absent`);
  }
  const given = decodedHeader(trimmed(header) ?? '');
  if (given === undefined) {
    return mismatch(name, `the ${name} header is neither ASCII nor valid Base64 of UTF-8`);
  }
  const isEqual =
    isNumber && typeof value === 'number' && DECIMAL.test(given)
      ? Number(given) === value
      : given === text;
  if (isEqual) return undefined;
  const written = JSON.stringify(given);
  return mismatch(
    name,
    `the ${name} header decodes to ${written} but the body carries ${argument}`,
  );
}

function mirroredIn(schema: unknown): readonly Mirrored[] {
  if (!isObject(schema)) return NONE;
  let found = known.get(schema);
  if (found === undefined) known.set(schema, (found = Array.from(collected(schema, []))));
  return found;
}

function* collected(schema: unknown, path: readonly string[]): Generator<Mirrored> {
  const header = member(schema, 'x-mcp-header');
  if (typeof header === 'string') {
    const type = member(schema, 'type');
    const isNumber = type === 'integer' || type === 'number';
    const label = `Mcp-Param-${header}`;
    yield { label, header: label.toLowerCase(), path, isNumber };
  }
  const properties = member(schema, 'properties');
  if (!isObject(properties)) return;
  for (const [key, each] of Object.entries(properties)) yield* collected(each, [...path, key]);
}
