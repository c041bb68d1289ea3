import { findProperty } from '../../../json-schema/index.js';
import type { Party, Protocol } from '../../ir/index.js';
import { key } from '../format/layout.js';
import { exportTypes } from '../imports.js';
import { messageParts, partRules, rule } from './message-rules.js';
import type { Envelopes, MessageParts } from './message-rules.js';
import { methodRules } from './method-rules.js';
import type { Plan } from './plan.js';
import { WIRE_FUNCTIONS, wireFunctions } from './wire-functions.js';
import type { Writers } from './writers.js';

/** The parts of the file about messages: the table, its types, and the functions that check messages. */
export function emitWire(protocol: Protocol, writers: Writers): EmittedWire {
  const { plan } = writers;
  const { requests, notifications, addedResults } = protocol;
  if (requests.length + notifications.length + addedResults.length === 0) return NO_WIRE;
  const envelopes = protocol.extension ? undefined : envelopesOf(plan);
  const parts = envelopes && messageParts(envelopes, plan);
  return {
    exports:
      exportTypes('protocol', ['Party']) +
      exportTypes('wire', [...TABLE_TYPES, ...(envelopes ? FUNCTION_TYPES : [])]),
    text: [
      messageTypes(protocol, plan, envelopes),
      methodTable(protocol, parts, writers),
      envelopes ? functions(envelopes, parts, writers) : '',
    ].join(''),
    names: envelopes ? WIRE_FUNCTIONS : [],
  };
}

export interface EmittedWire {
  /** Types that are re-exported from the support modules. */
  readonly exports: string;
  readonly text: string;
  /** Function names that definitions must not take. */
  readonly names: readonly string[];
}

const NO_WIRE: EmittedWire = { exports: '', text: '', names: [] };
const TABLE_TYPES = ['MessageTypes', 'Wire'];
const FUNCTION_TYPES = [
  'ErrorCode',
  'ErrorReply',
  'ReceivedNotification',
  'ReceivedRequest',
  'Rejected',
  'ResultOptions',
  'Undecoded',
  'WireOptions',
];

/** The names of each definition in different revisions; the first existing one is used. */
function envelopesOf({ definitions }: Plan): Envelopes | undefined {
  const find = (...names: string[]): string => names.find((name) => definitions.has(name)) ?? '';
  const found = {
    request: find('JSONRPCRequest'),
    notification: find('JSONRPCNotification'),
    response: find('JSONRPCResultResponse', 'JSONRPCResponse'),
    error: find('JSONRPCErrorResponse', 'JSONRPCError'),
  };
  return Object.values(found).includes('') ? undefined : found;
}

const PARTIES: readonly Party[] = ['client', 'server'];

function messageTypes(
  { requests, notifications, addedResults }: Protocol,
  plan: Plan,
  envelopes: Envelopes | undefined,
): string {
  const messages = requests.filter(({ carrier }) => carrier === 'message');
  const parties = PARTIES.map((party) => {
    const sent = (all: readonly { definition: string; senders: readonly Party[] }[]): string[] =>
      all.filter(({ senders }) => senders.includes(party)).map(({ definition }) => definition);
    const request = typeUnion(sent(messages), envelopes?.request, plan);
    const notification = typeUnion(sent(notifications), envelopes?.notification, plan);
    return `  readonly ${party}: {\n    readonly request: ${request};\n    readonly notification: ${notification};\n  };\n`;
  });
  const byMethod = new Map<string, Set<string>>();
  for (const { method, results } of [
    ...requests,
    ...addedResults.map(({ method, result }) => ({ method, results: [result] })),
  ]) {
    const known = byMethod.get(method) ?? new Set();
    byMethod.set(method, known);
    results.forEach((name) => known.add(`types.${name}`));
  }
  const results = [...byMethod].map(
    ([method, types]) => `    readonly ${key(method)}: ${[...types].join(' | ') || 'unknown'};\n`,
  );
  return [
    '\n/** The messages of each side and the results of each method. */\n',
    'export interface Messages {\n',
    ...parties,
    `  readonly results: {\n${results.join('')}  };\n}\n`,
  ].join('');
}

/** Early revisions define messages without the JSON-RPC envelope. */
function typeUnion(
  definitions: readonly string[],
  envelope: string | undefined,
  plan: Plan,
): string {
  const [first = 'never', ...others] = definitions.map((name) => {
    const whole = isWhole(name, plan) || envelope === undefined;
    return whole ? `types.${name}` : `(types.${envelope} & types.${name})`;
  });
  if (others.length === 0) return first;
  return [first, ...others].map((type) => `\n      | ${type}`).join('');
}

function isWhole(name: string, { definitions }: Plan): boolean {
  const node = definitions.get(name)?.node;
  return node !== undefined && findProperty(node, 'jsonrpc', definitions) !== undefined;
}

function methodTable(
  protocol: Protocol,
  parts: MessageParts | undefined,
  writers: Writers,
): string {
  const rules = methodRules(protocol, parts, writers);
  return [
    '\n/** The rules of the methods, by their senders. */\n',
    `export const wire: ${writers.scope.type('wire', 'Wire')}<Messages> = {\n`,
    rules,
    '};\n',
  ].join('');
}

/** The tables for the functions of the support modules, and those functions. */
function functions(
  envelopes: Envelopes,
  parts: MessageParts | undefined,
  writers: Writers,
): string {
  const { plan, scope } = writers;
  const { definitions } = plan;
  const failure = definitions.get(envelopes.error)?.node ?? { kind: 'any' };
  const rules = (Object.entries(envelopes) as [string, string][]).map(
    ([kind, name]) => `  ${kind}: ${rule(name, plan, scope)},\n`,
  );
  const nullId = findProperty(failure, 'id', definitions)?.required === true;
  return [
    `\nconst revision: ${scope.type('message', 'Revision')} = {\n  wire,\n`,
    ...rules,
    parts ? partRules(parts, writers) : `  kind: ${scope.value('whole-message', 'wholeKind')},\n`,
    '};\n',
    wireFunctions({ ...envelopes, nullId, batches: hasBatches(plan) }, scope),
  ].join('');
}

/** Whether a message may be an array of messages. */
function hasBatches({ definitions }: Plan): boolean {
  const node = definitions.get('JSONRPCMessage')?.node;
  return node?.kind === 'union' && node.members.some(({ kind }) => kind === 'array');
}
