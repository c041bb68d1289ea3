import { findProperty, literalsOf, resolve } from '../../ir/index.js';
import type {
  Definitions,
  Node,
  ObjectNode,
  Party,
  Property,
  Protocol,
  Request,
} from '../../ir/index.js';
import { key, quoted } from '../../format/layout.js';
import { exportTypes } from '../imports.js';
import type { Checks } from './checks.js';
import { pascalCase, pathName } from './identifiers.js';
import { isLeaf } from './leaf.js';
import type { Plan } from './plan.js';
import type { Scope } from './scope.js';
import type { Shapes } from './shapes.js';
import { WIRE_FUNCTIONS, wireFunctions } from './wire-functions.js';

/** The definitions of JSON-RPC messages. */
export interface Envelopes {
  readonly request: string;
  readonly notification: string;
  readonly response: string;
  readonly error: string;
}

/** What the rules of messages are written with. */
export interface Writers {
  readonly plan: Plan;
  readonly scope: Scope;
  readonly checks: Checks;
  readonly shapes: Shapes;
}

/** The parts of the file about messages: the table, its types, and the functions that check messages. */
export function emitWire(protocol: Protocol, writers: Writers): EmittedWire {
  const { plan } = writers;
  const { requests, notifications, addedResults } = protocol;
  if (requests.length + notifications.length + addedResults.length === 0) return NO_WIRE;
  const envelopes = protocol.extension ? undefined : envelopesOf(plan);
  return {
    exports:
      exportTypes('protocol', ['Party']) +
      exportTypes('wire', [...TABLE_TYPES, ...(envelopes ? FUNCTION_TYPES : [])]),
    text: [
      messageTypes(protocol, plan, envelopes),
      methodTable(protocol, writers),
      envelopes ? functions(envelopes, writers) : '',
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
  if (definitions.length === 0) return 'never';
  const types = definitions.map((name) => {
    const whole = isWhole(name, plan) || envelope === undefined;
    return whole ? `types.${name}` : `(types.${envelope} & types.${name})`;
  });
  if (types.length === 1) return types[0] ?? '';
  return types.map((type) => `\n      | ${type}`).join('');
}

function isWhole(name: string, { definitions }: Plan): boolean {
  const node = definitions.get(name)?.node;
  return node !== undefined && findProperty(node, 'jsonrpc', definitions) !== undefined;
}

function methodTable(
  { requests, notifications, addedResults }: Protocol,
  writers: Writers,
): string {
  const { plan, scope } = writers;
  const entries = [
    ...requests.map((request) => [request.method, requestEntry(request, writers)] as const),
    ...notifications.map(
      ({ method, definition, senders }) =>
        [method, [...from(senders), ...messageRule('notification', definition, writers)]] as const,
    ),
    ...addedResults.map(
      ({ method, result }) => [method, [`result: ${rule([result], plan, scope)}`]] as const,
    ),
  ].map(
    ([method, members]) =>
      `    {\n${[`method: ${quoted(method)}`, ...members].map((each) => `      ${each},\n`).join('')}    },\n`,
  );
  return [
    '\n/** The methods with their senders and results. */\n',
    `export const wire: ${scope.type('wire', 'Wire')}<Messages> = {\n`,
    `  methods: /*@__PURE__*/ ${scope.value('wire', 'byLength')}([\n`,
    ...entries,
    '  ]),\n};\n',
  ].join('');
}

function requestEntry(
  { definition, senders, carrier, results }: Request,
  writers: Writers,
): string[] {
  const { plan, scope } = writers;
  return [
    ...from(carrier === 'message' ? senders : []),
    ...(carrier === 'message' ? messageRule('request', definition, writers) : []),
    ...(results.length > 0 ? [`result: ${rule(results, plan, scope)}`] : []),
  ];
}

/** The rule of a message's params, because one check serves the rest of all messages; else of the whole. */
function messageRule(
  kind: 'request' | 'notification',
  definition: string,
  writers: Writers,
): string[] {
  const { plan, scope } = writers;
  const properties = envelopeProperties(definition, plan);
  const params = properties ? memberOf('params', properties) : 'several';
  if (params === 'several') {
    return [`${kind}: ${rule([definition], plan, scope)}`, 'whole: true'];
  }
  return [`${kind}: ${paramsRule(params, definition, writers)}`];
}

/** The properties of a message that restricts nothing but its JSON-RPC members. */
function envelopeProperties(
  definition: string,
  { definitions }: Plan,
): readonly Property[] | undefined {
  const node = definitions.get(definition)?.node;
  const parts = node && partsOf(node, definitions);
  const plain = parts?.every(({ kind, properties, additional, hasProperties, ...limits }) => {
    const open = additional.kind === 'unsaid' || additional.kind === 'open';
    return open && Object.keys(limits).every((key) => NO_LIMITS.has(key));
  });
  const all = plain ? parts?.flatMap(({ properties }) => properties) : undefined;
  return all?.every((each) => isMember(each, definitions)) ? all : undefined;
}

/** The objects that a node is, or of which it is all. */
function partsOf(node: Node, definitions: Definitions): ObjectNode[] | undefined {
  const target = resolve(node, definitions);
  if (target.kind === 'object') return [target];
  if (target.kind !== 'intersection') return undefined;
  const parts = target.members.map((member) => partsOf(member, definitions));
  return parts.every((each) => each !== undefined) ? parts.flat() : undefined;
}

function isMember({ name, node, required }: Property, definitions: Definitions): boolean {
  switch (name) {
    case 'jsonrpc':
      return literalsOf(node, definitions)?.join() === '2.0';
    case 'id':
      return required && isId(resolve(node, definitions));
    case 'method':
      return required && isMethod(resolve(node, definitions));
    default:
      return name === 'params' || name === 'result';
  }
}

const isMethod = (node: Node): boolean =>
  (node.kind === 'literal' && node.values.length === 1) ||
  (node.kind === 'string' && Object.keys(node).every((key) => NO_LIMITS.has(key)));

/** The one declaration of a member that restricts more than its type. */
function memberOf(name: string, properties: readonly Property[]): Property | undefined | 'several' {
  const found = properties.filter((each) => each.name === name);
  const limited = found.filter(({ node }) => !(node.kind === 'object' && isLeaf(node)));
  const [first = found[0], ...others] = limited;
  if (others.length > 0) return 'several';
  return first && { ...first, required: found.some(({ required }) => required) };
}

const NO_LIMITS = new Set([
  'kind',
  'description',
  'discriminator',
  'deprecated',
  'default',
  'openItems',
]);

/** A string or an integer. */
function isId(node: Node): boolean {
  if (node.kind !== 'union') return false;
  const kinds = node.members.map((each) =>
    Object.keys(each).every((key) => key === 'kind' || key === 'integer') ? each.kind : 'other',
  );
  return kinds.sort().join() === 'number,string';
}

function paramsRule(
  params: Property | undefined,
  definition: string,
  { plan, scope, checks, shapes }: Writers,
): string {
  if (!params || params.node.kind === 'any') {
    return `[() => true, ${scope.value('shapes', 'anything')}]`;
  }
  const path = pathName(definition, 'Params');
  const [check, shape] = [checks.named(params.node, path), shapes.lazy(params.node, path)];
  if (params.required) return `[${check}, ${shape}]`;
  const context = plan.needsContext(params.node) ? ', c' : '';
  return `[(v${context}) => v === undefined || ${check}(v${context}), /*@__PURE__*/ ${scope.value('shapes', 'option')}(${shape})]`;
}

function from(senders: readonly Party[]): string[] {
  const [sender] = senders;
  if (sender === undefined) return [];
  return [`from: ${quoted(senders.length > 1 ? 'both' : sender)}`];
}

function rule(definitions: readonly string[], plan: Plan, scope: Scope): string {
  const names = definitions.map(plan.standIn);
  const [first = ''] = names;
  if (names.length === 1) return `[check${first}, ${scope.shape(first)}]`;
  const node: Node = { kind: 'union', members: names.map((name) => ({ kind: 'ref', name })) };
  const parameters = plan.needsContext(node) ? '(v, c)' : '(v)';
  const checks = names.map((name) => {
    const args = plan.needsContext({ kind: 'ref', name }) ? 'v, c' : 'v';
    return `check${name}(${args})`;
  });
  const shapes = names.map((name) => scope.shape(name));
  return `[\n        ${parameters} => ${checks.join(' || ')},\n        /*@__PURE__*/ ${scope.value('shapes', 'either')}(${shapes.join(', ')}),\n      ]`;
}

/** The tables for the functions of the support modules, and those functions. */
function functions(envelopes: Envelopes, writers: Writers): string {
  const { plan, scope } = writers;
  const { definitions } = plan;
  const failure = definitions.get(envelopes.error)?.node ?? { kind: 'any' };
  const rules = Object.entries(envelopes).map(
    ([kind, name]) => `  ${kind}: ${rule([name], plan, scope)},\n`,
  );
  const nullId = findProperty(failure, 'id', definitions)?.required === true;
  return [
    `\nconst revision: ${scope.type('message', 'Revision')} = {\n  wire,\n`,
    ...rules,
    partRules(envelopes, writers),
    '};\n',
    wireFunctions({ ...envelopes, nullId, batches: hasBatches(plan) }, scope),
  ].join('');
}

/** The checks of the parts of JSON-RPC messages, unless their definitions restrict anything else. */
function partRules(envelopes: Envelopes, { plan, checks }: Writers): string {
  const rules = PARTS.map(([kind, name]) => {
    const properties = envelopeProperties(envelopes[kind], plan);
    const part = properties && memberOf(name, properties);
    if (part === undefined || part === 'several') return undefined;
    if (part.required !== (name === 'result')) return undefined;
    return `    ${kind}: ${checks.reference(part.node, pathName(envelopes[kind], pascalCase(name)))},\n`;
  });
  return rules.includes(undefined) ? '' : `  parts: {\n${rules.join('')}  },\n`;
}

const PARTS = [
  ['request', 'params'],
  ['notification', 'params'],
  ['response', 'result'],
] as const;

/** Whether a message may be an array of messages. */
function hasBatches({ definitions }: Plan): boolean {
  const node = definitions.get('JSONRPCMessage')?.node;
  return node?.kind === 'union' && node.members.some(({ kind }) => kind === 'array');
}
