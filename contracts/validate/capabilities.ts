import { HANDSHAKES } from '../../runtime/rules/messages.js';
import { asksOf, needsOf, PARTS_SINCE } from '../../runtime/rules/questions.js';
import type { Need } from '../../runtime/rules/questions.js';
import { quote } from '../../json-schema/text.js';
import { EXTENSION_ID, META_KEYS } from '../../runtime/protocol.js';
import { at, entriesAt, isRecord, textAt } from './access.js';
import { other } from './direction.js';
import type { Party } from './direction.js';
import type { Declared, OpenRequest } from './exchanges.js';
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
    if (HANDSHAKES.has(method)) this.#declared.server = at(result, 'capabilities');
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
    if (from !== 'server' || dialect.revision < PARTS_SINCE) return [];
    if (!isRecord(this.#declared.client)) return [];
    return undeclaredParts(method, params, asksOf(this.#declared.client)).map((each) => ({
      ...breach(method, 'client', each.ask.split('.'), ['params', each.param], dialect),
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

const NONE_DECLARED: Declared = { tasks: false, others: false, asks: [] };

/** The parts of capabilities that a question needs, and that are not declared. */
function undeclaredParts(
  method: string,
  params: unknown,
  asks: readonly string[],
): readonly (Need & { readonly param: string })[] {
  const needs = needsOf(method, (name) => at(params, name));
  return needs.flatMap(({ param, ...need }) =>
    param === undefined || asks.includes(need.ask) ? [] : [{ ...need, param }],
  );
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
    asks: asksOf(capabilities),
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
    const method = textAt(each, 'method') ?? '';
    const [capability] = needsOf(method, () => undefined)[0]?.ask.split('.') ?? [];
    if (capability === undefined) return [];
    const { asks } = request.declares;
    const place = ['result', 'inputRequests', name];
    if (!asks.some((ask) => ask.startsWith(capability))) {
      return [undeclared(method, capability, [...place, 'method'])];
    }
    return undeclaredParts(method, at(each, 'params'), asks).map(({ ask, param, isAdvice }) => ({
      ...undeclared(method, ask, [...place, 'params', param]),
      ...(isAdvice && { severity: 'warning' as const }),
    }));
  });
}

function undeclared(method: string, capability: string, key: Breach['key']): Breach {
  const message = `${quote(method)} needs the capability ${capability}, which the request does not declare in its _meta.`;
  return { code: 'undeclared-capability', message, key };
}
