import { quote } from '../../json-schema/text.js';
import { EXTENSION_ID, META_KEYS } from '../../runtime/protocol.js';
import { at, entriesAt, isRecord, textAt } from './access.js';
import { other } from './direction.js';
import type { Party } from './direction.js';
import type { Declared, OpenRequest } from './exchanges.js';
import { CORE_REVISION } from './codes/scopes.js';
import type { Breach, Kind, Severity } from './finding.js';
import { notificationInfo, requestInfo } from './protocol.js';
import type { Capability, Dialect } from './protocol.js';

/** The declared capabilities of client and server in the recording. */
export class Capabilities {
  #declared: Partial<Record<Party, unknown>> = {};

  /** Takes the client's capabilities from `initialize`. */
  call(method: string, params: unknown): void {
    if (method === 'initialize') this.#declared = { client: at(params, 'capabilities') };
  }

  /** Takes the server's capabilities from the results of `initialize` and `server/discover`. */
  answer(method: string, result: unknown): void {
    if (method !== 'initialize' && method !== 'server/discover') return;
    this.#declared.server = at(result, 'capabilities');
  }

  /** `undefined` when the party's declaration was not recorded. */
  has(party: Party, path: readonly string[]): boolean | undefined {
    const declared = this.#declared[party];
    if (!isRecord(declared)) return undefined;
    const found = at(declared, ...path);
    return found !== undefined && found !== false;
  }

  /** Whether the receiver declares tasks for such requests (2025-11-25). */
  takesTasks(method: string, requester: Party): boolean | undefined {
    return this.has(other(requester), ['tasks', 'requests', ...method.split('/')]);
  }

  check(method: string, kind: Kind, from: Party, params: unknown, dialect: Dialect): Breach[] {
    const needed = this.#needed(method, kind, from, dialect);
    const missing = needed.filter(({ party, path }) => this.has(party, path) === false);
    const breaches = missing.map(({ party, path }) =>
      breach(method, party, path, ['method'], dialect),
    );
    if (kind === 'request' && breaches.length === 0) {
      breaches.push(...this.#checkParts(method, params, from, dialect));
    }
    if (dialect.tasks !== 'core' || kind !== 'request' || !isRecord(at(params, 'task'))) {
      return breaches;
    }
    if (!requestInfo(method, dialect)?.augmentable) return breaches;
    if (this.takesTasks(method, from) !== false) return breaches;
    const path = ['tasks', 'requests', ...method.split('/')];
    const found = breach('params.task', other(from), path, ['params', 'task'], dialect);
    return [...breaches, method === 'tools/call' ? found : { ...found, severity: 'warning' }];
  }

  /** The parts of a question to the client. */
  #checkParts(method: string, params: unknown, from: Party, dialect: Dialect): Breach[] {
    if (from !== 'server' || dialect.revision < CORE_REVISION) return [];
    return partsNeeded(method, params, (path) => this.has('client', path)).map((each) => ({
      ...breach(method, 'client', each.path, ['params', each.key], dialect),
      ...(each.isAdvice && { severity: 'warning' as const }),
    }));
  }

  /** A request needs a capability of its receiver, a notification one of its sender. */
  #needed(method: string, kind: Kind, from: Party, dialect: Dialect): readonly Capability[] {
    const table = kind === 'request' ? requestInfo : notificationInfo;
    const all = table(method, dialect)?.capabilities ?? [];
    if (all.length < 2) return all;
    const party = kind === 'request' ? other(from) : from;
    return all.filter((each) => each.party === party);
  }
}

function breach(
  what: string,
  party: Party,
  path: readonly string[],
  key: readonly string[],
  { validators }: Dialect,
): Breach {
  const severity: Severity = validators.strictCapabilities ? 'error' : 'warning';
  const message = `${quote(what)} needs the capability ${path.join('.')}, which the ${party} did not declare.`;
  return { code: 'undeclared-capability', message, key, severity };
}

const INPUTS: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** These capabilities and their parts, with the path to each. */
const DECLARABLE = [
  ...Object.values(INPUTS),
  'elicitation.form',
  'elicitation.url',
  'sampling.tools',
  'sampling.context',
].map((name) => ({ name, path: name.split('.') }));

const NONE_DECLARED: Declared = { tasks: false, others: false, inputs: [] };

/** A part of a capability that a question needs, and the param for which it needs it. */
interface Needed {
  readonly path: readonly string[];
  readonly key: string;
  /** Whether the specification only advises it. */
  readonly isAdvice?: boolean;
}

/** The parts that a question needs, and that are not declared. `has` may not know. */
function partsNeeded(
  method: string,
  params: unknown,
  has: (path: readonly string[]) => boolean | undefined,
): readonly Needed[] {
  const needed: Needed[] = [];
  if (method === 'elicitation/create') {
    const isUrl = at(params, 'mode') === 'url';
    // Without parts, the capability means forms.
    const hasForms = has(['elicitation', 'url']) !== true;
    if (isUrl || !hasForms) {
      needed.push({ path: ['elicitation', isUrl ? 'url' : 'form'], key: 'mode' });
    }
  } else if (method === 'sampling/createMessage') {
    for (const key of ['tools', 'toolChoice']) {
      if (at(params, key) !== undefined) needed.push({ path: ['sampling', 'tools'], key });
    }
    const context = at(params, 'includeContext');
    if (context !== undefined && context !== 'none') {
      needed.push({ path: ['sampling', 'context'], key: 'includeContext', isAdvice: true });
    }
  }
  return needed.filter(({ path }) => has(path) === false);
}

/** The parts of a question in an `input_required` result. */
function checkParts(name: string, question: unknown, { declares }: OpenRequest): Breach[] {
  const method = textAt(question, 'method') ?? '';
  const has = (path: readonly string[]): boolean => declares.inputs.includes(path.join('.'));
  return partsNeeded(method, at(question, 'params'), has).map(({ path, key, isAdvice }) => ({
    code: 'undeclared-capability',
    message: `${quote(method)} needs the capability ${path.join('.')}, which the request does not declare in its _meta.`,
    key: ['result', 'inputRequests', name, 'params', key],
    ...(isAdvice && { severity: 'warning' as const }),
  }));
}

/**
 * The declarations in a request's `_meta` that its answer depends on. `known` are the known extensions,
 * and `assumed` those that the caller set.
 */
export function declaredBy(
  params: unknown,
  known: readonly string[],
  assumed: readonly string[],
): Declared {
  const capabilities = at(params, '_meta', META_KEYS.clientCapabilities);
  if (capabilities === undefined && assumed.length === 0) return NONE_DECLARED;
  const ids = [...entriesAt(capabilities, 'extensions').map(([id]) => id), ...assumed];
  return {
    tasks: ids.includes(EXTENSION_ID),
    others: ids.some((id) => !known.includes(id)),
    inputs: DECLARABLE.filter(({ path }) => at(capabilities, ...path) !== undefined).map(
      ({ name }) => name,
    ),
  };
}

/** Checks that an `input_required` result contains only input requests that the request allows. */
export function checkInputRequired(result: unknown, request: OpenRequest): Breach[] {
  const requests = at(result, 'inputRequests');
  if (requests === undefined && at(result, 'requestState') === undefined) {
    const message = 'This result asks for no input: add inputRequests, requestState or both.';
    return [{ code: 'empty-input-request', message, key: ['result'] }];
  }
  if (!isRecord(requests)) return [];
  return Object.entries(requests).flatMap(([name, each]): Breach[] => {
    const method = at(each, 'method');
    const needed = typeof method === 'string' && Object.hasOwn(INPUTS, method) && INPUTS[method];
    if (!needed) return [];
    if (request.declares.inputs.includes(needed)) return checkParts(name, each, request);
    const message = `${quote(String(method))} needs the capability ${needed}, which the request does not declare in its _meta.`;
    const key = ['result', 'inputRequests', name, 'method'];
    return [{ code: 'undeclared-capability', message, key }];
  });
}
