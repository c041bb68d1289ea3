import { isRequestId, isTooLong, LONGEST_ID } from '../../peer/index.js';
import { DIALECT_VERSIONS, ERROR_CODES, META_KEYS, METHODS } from '../../protocol.js';
import type { JsonObject } from '../../tasks/index.js';
import { at, beginningOf, isObject, member } from '../../peer/wire/json.js';
import type { Served } from '../served.js';
import type { Incoming } from './incoming.js';
import { mismatch, Refused, trimmed } from './reply.js';
import {
  decodedHeader,
  headerText,
  isAscii,
  nameParameter,
} from '../../peer/wire/mirrored-headers.js';

/** What the body of a POST is. `stateless`: a message of a revision without sessions. */
export type Kind =
  | { readonly kind: 'stateless'; readonly message: JsonObject }
  | { readonly kind: 'handshake'; readonly message: JsonObject }
  | { readonly kind: 'request' | 'notification' | 'response'; readonly message: JsonObject }
  | { readonly kind: 'batch'; readonly messages: readonly JsonObject[] };

/** Reads a JSON value that a client has posted. The body decides; headers have to agree with it. */
export function classify(incoming: Pick<Incoming, 'header'>, body: unknown): Kind | Refused {
  if (Array.isArray(body)) return classifyBatch(body as readonly unknown[]);
  const shape = isObject(body) ? shapeOf(body) : undefined;
  if (shape === undefined) {
    const what = isTooLong(member(body, 'id'))
      ? `the id has more than ${LONGEST_ID} characters`
      : 'the request body is not a valid JSON-RPC message';
    return invalid(what);
  }
  const message = body as JsonObject;
  if (shape === 'response') return { kind: 'response', message };
  const version = trimmed(incoming.header('mcp-protocol-version'));
  const isRequest = shape === 'request';
  const isHandshake = isRequest && message['method'] === METHODS.initialize;
  const meta = metaOf(message);
  if (isHandshake && !isEnveloped(meta)) {
    if (!isWithoutSessions(version)) return { kind: 'handshake', message };
    const what = 'an initialize request was sent with the version of a revision without sessions';
    return mismatch(version ?? '', what);
  }
  if (meta === undefined || !(META_KEYS.protocolVersion in meta)) {
    if (!isWithoutSessions(version)) return { kind: shape, message };
    if (isRequest) return unclaimed(version, meta);
    return methodMismatch(incoming, message) ?? { kind: 'stateless', message };
  }
  return refuseClaim(incoming, message, meta, isRequest, version) ?? { kind: 'stateless', message };
}

type Shape = 'request' | 'notification' | 'response';

/** Undefined for what is no JSON-RPC. The peer checks the rest. */
function shapeOf(message: JsonObject): Shape | undefined {
  const { jsonrpc, method, id, params } = message;
  if (jsonrpc !== '2.0') return undefined;
  if (typeof method === 'string') {
    if (params !== undefined && !isObject(params)) return undefined;
    if (id === undefined) return 'notification';
    return isRequestId(id) ? 'request' : undefined;
  }
  if (isObject(message['result'])) return isRequestId(id) ? 'response' : undefined;
  const error = message['error'];
  const isError =
    isObject(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string';
  return isError && (id === undefined || isRequestId(id)) ? 'response' : undefined;
}

function classifyBatch(body: readonly unknown[]): Kind | Refused {
  if (body.length === 0) return invalid('empty JSON-RPC batch');
  for (const each of body) {
    const meta = isObject(each) ? metaOf(each) : undefined;
    if (meta !== undefined && META_KEYS.protocolVersion in meta) {
      return invalid('JSON-RPC batches may not contain requests of a revision without sessions');
    }
    if (!isObject(each) || shapeOf(each) === undefined) {
      return invalid('JSON-RPC batch contains an invalid message');
    }
  }
  return { kind: 'batch', messages: body as readonly JsonObject[] };
}

/** Whether a version is that of a revision without sessions: those that will come have later dates. */
function isWithoutSessions(version: string | undefined): boolean {
  return version !== undefined && version >= DIALECT_VERSIONS.ext;
}

/** Whether a message carries a whole envelope of a revision without sessions. */
export function isEnveloped(meta: JsonObject | undefined): boolean {
  const version = meta?.[META_KEYS.protocolVersion];
  if (meta === undefined || typeof version !== 'string') return false;
  return isWithoutSessions(version) && envelopeFault(meta) === undefined;
}

/** The version is claimed in the body: header and envelope have to agree with it. */
function refuseClaim(
  incoming: Pick<Incoming, 'header'>,
  message: JsonObject,
  meta: JsonObject,
  isRequest: boolean,
  header: string | undefined,
): Refused | undefined {
  const claimed = meta[META_KEYS.protocolVersion];
  const fault = isRequest || typeof claimed !== 'string' ? envelopeFault(meta) : undefined;
  if (fault !== undefined) return invalidEnvelope(fault);
  if (header !== undefined && header !== claimed) {
    const what = `the body envelope names protocol version ${beginningOf(String(claimed))} but the MCP-Protocol-Version header names ${header}`;
    return mismatch(header, what);
  }
  const isChecked = isRequest || isWithoutSessions(String(claimed));
  return isChecked ? methodMismatch(incoming, message) : undefined;
}

function methodMismatch(
  incoming: Pick<Incoming, 'header'>,
  { method }: JsonObject,
): Refused | undefined {
  const header = trimmed(incoming.header('mcp-method'));
  if (header === undefined || header === method) return undefined;
  const what = `the body names method ${beginningOf(String(method))} but the Mcp-Method header names ${header}`;
  return mismatch(header, what);
}

export function invalidEnvelope(fault: EnvelopeFault): Refused {
  const message = `Invalid _meta envelope: ${fault.key}: ${fault.problem}`;
  return new Refused(400, ERROR_CODES.InvalidParams, message, { envelope: fault });
}

/** The header names a revision without sessions, and the body no version. */
function unclaimed(version: string | undefined, meta: JsonObject | undefined): Refused {
  const missing = meta === undefined ? ['_meta'] : missingParts(meta);
  const message = `Invalid params: the MCP-Protocol-Version header names protocol revision ${version}, but the request is missing the required per-request envelope key(s): ${missing.join(', ')}`;
  return new Refused(400, ERROR_CODES.InvalidParams, message, { envelope: { missing } });
}

function invalid(what: string): Refused {
  return new Refused(400, ERROR_CODES.InvalidRequest, `Bad Request: ${what}`);
}

/** What is wrong with a part of `_meta` that every request without a session carries. */
interface EnvelopeFault {
  readonly key: string;
  readonly problem: string;
}

interface Part {
  readonly key: string;
  readonly isValid: (value: unknown) => boolean;
  readonly expected: string;
  readonly isOptional?: boolean;
}

/** Deeper faults are those of the params: the peer finds them. */
const PARTS: readonly Part[] = [
  { key: META_KEYS.protocolVersion, isValid: isText, expected: 'a string' },
  {
    key: META_KEYS.clientInfo,
    isValid: (value) => isText(member(value, 'name')) && isText(member(value, 'version')),
    expected: 'an object with a name and a version',
    isOptional: true,
  },
  { key: META_KEYS.clientCapabilities, isValid: isObject, expected: 'an object' },
  { key: META_KEYS.logLevel, isValid: isText, expected: 'a string', isOptional: true },
];

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** `params._meta`. */
export function metaOf(message: JsonObject): JsonObject | undefined {
  const meta = at(message, ['params', '_meta']);
  return isObject(meta) ? meta : undefined;
}

/** The keys of those parts that are missing. */
function missingParts(meta: JsonObject): string[] {
  return PARTS.filter(
    ({ key, isOptional }) => isOptional !== true && !Object.hasOwn(meta, key),
  ).map(({ key }) => key);
}

/** The first fault: one that is missing before one that is wrong. */
export function envelopeFault(meta: JsonObject): EnvelopeFault | undefined {
  for (const part of PARTS) {
    if (part.isOptional !== true && !Object.hasOwn(meta, part.key)) {
      return { key: part.key, problem: 'missing' };
    }
  }
  for (const part of PARTS) {
    if (Object.hasOwn(meta, part.key) && !part.isValid(meta[part.key])) {
      return { key: part.key, problem: `expected ${part.expected}` };
    }
  }
  return undefined;
}

/**
 * Why a message of a revision with sessions is not served where none is offered. Undefined for a notification, which is
 * dropped.
 */
export function refuseUnserved(
  kind: Kind,
  incoming: Pick<Incoming, 'header'>,
  supported: readonly string[],
): Refused | undefined {
  if (kind.kind === 'notification') return undefined;
  if (kind.kind === 'batch') return invalid('JSON-RPC batches are not supported by this endpoint');
  if (kind.kind === 'response') {
    return invalid('JSON-RPC responses cannot be posted to this endpoint');
  }
  const requested =
    kind.kind === 'handshake'
      ? at(kind.message, ['params', 'protocolVersion'])
      : (incoming.header('mcp-protocol-version') ?? undefined);
  return unsupported(supported, requested);
}

/** The version that a client asks for is not served to it. */
export function unsupported(supported: readonly string[], requested: unknown): Refused {
  const named = typeof requested === 'string' ? beginningOf(requested) : undefined;
  const what = named ?? 'the request did not name a protocol version';
  const message = `Unsupported protocol version: ${what}`;
  const data = named === undefined ? { supported } : { supported, requested: named };
  return new Refused(400, ERROR_CODES.UnsupportedProtocolVersion, message, data);
}

const MISSING = '(missing)';

type WithHeaders = Pick<Incoming, 'header' | 'headerNames'>;

/**
 * Refuses a request without the headers that repeat parts of its body, or with one that contradicts the body. Without
 * `tools`, those that repeat arguments are not checked.
 */
export function refuseHeaders(
  incoming: WithHeaders,
  message: JsonObject,
  tools: Tools | undefined,
): Refused | undefined {
  const refused = refuseStandard(incoming, message);
  if (refused !== undefined || tools === undefined) return refused;
  return refuseParams(incoming, message, tools);
}

/** The schemas of tools' arguments, as a server has them. */
type Tools = Pick<Served<never, never>, 'inputSchemaOf'>;

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
  tools: Tools,
): Refused | undefined {
  const tool = message['method'] === METHODS.toolsCall ? at(message, TOOL) : undefined;
  const mirrored = typeof tool === 'string' ? mirroredIn(tools.inputSchemaOf(tool)) : NONE;
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
