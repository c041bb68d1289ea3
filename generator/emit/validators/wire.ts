import { findProperty } from '../../ir/index.js';
import type { Node, Party, Protocol, Request } from '../../ir/index.js';
import { key, quoted } from '../../format/layout.js';
import type { Plan } from './plan.js';
import { BATCH_MESSAGE, KINDS, MESSAGE } from './wire-functions.js';

/** The definitions that say what the messages of JSON-RPC look like. */
interface Envelopes {
  readonly request: string;
  readonly notification: string;
  readonly response: string;
  readonly error: string;
}

/** What the file says of messages: the table, its types, and the functions that read the wire. */
export function emitWire(protocol: Protocol, plan: Plan): string[] {
  const { requests, notifications, addedResults } = protocol;
  if (requests.length + notifications.length + addedResults.length === 0) return [];
  const envelopes = protocol.extension ? undefined : envelopesOf(plan);
  return [
    messageTypes(protocol, plan, envelopes),
    methodTable(protocol, plan),
    ...(envelopes ? functions(protocol, envelopes, plan) : []),
  ];
}

/** Revisions differ in names only; the first of each that is there. */
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
  const results = [
    ...requests.map(({ method, results }) => ({ method, results })),
    ...addedResults.map(({ method, result }) => ({ method, results: [result] })),
  ].map(({ method, results }) => {
    const types = results.map((name) => `types.${name}`).join(' | ');
    return `    readonly ${key(method)}: ${types || 'unknown'};\n`;
  });
  return [
    '\n/** What each party sends, and what answers each method. */\n',
    'export interface Messages {\n',
    ...parties,
    `  readonly results: {\n${results.join('')}  };\n}\n`,
  ].join('');
}

/** Early revisions define messages without the members that JSON-RPC adds. */
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

/** Whether every message's definition also says what JSON-RPC says of it: once is enough. */
function repeatsEnvelope({ requests, notifications }: Protocol, plan: Plan): boolean {
  return [...requests, ...notifications].every(({ definition }) => isWhole(definition, plan));
}

function isWhole(name: string, { definitions }: Plan): boolean {
  const node = definitions.get(name)?.node;
  return node !== undefined && findProperty(node, 'jsonrpc', definitions) !== undefined;
}

function methodTable({ requests, notifications, addedResults }: Protocol, plan: Plan): string {
  const entries = [
    ...requests.map((request) => [request.method, requestEntry(request, plan)] as const),
    ...notifications.map(
      ({ method, definition, senders }) =>
        [method, [...from(senders), `notification: ${rule([definition], plan)}`]] as const,
    ),
    ...addedResults.map(
      ({ method, result }) => [method, [`result: ${rule([result], plan)}`]] as const,
    ),
  ].map(
    ([method, members]) =>
      `    {\n${[`method: ${quoted(method)}`, ...members].map((each) => `      ${each},\n`).join('')}    },\n`,
  );
  return [
    '\n/** The methods, who sends them, and what answers them. */\n',
    'export const wire: Wire<Messages> = {\n',
    '  methods: /*@__PURE__*/ byLength([\n',
    ...entries,
    '  ]),\n};\n',
  ].join('');
}

function requestEntry({ definition, senders, carrier, results }: Request, plan: Plan): string[] {
  return [
    ...from(carrier === 'message' ? senders : []),
    ...(carrier === 'message' ? [`request: ${rule([definition], plan)}`] : []),
    ...(results.length > 0 ? [`result: ${rule(results, plan)}`] : []),
  ];
}

function from(senders: readonly Party[]): string[] {
  const [sender] = senders;
  if (sender === undefined) return [];
  return [`from: ${quoted(senders.length > 1 ? 'both' : sender)}`];
}

function rule(definitions: readonly string[], plan: Plan): string {
  const names = definitions.map(plan.standIn);
  const [first = ''] = names;
  if (names.length === 1) return `[check${first}, shape${first}]`;
  const node: Node = { kind: 'union', members: names.map((name) => ({ kind: 'ref', name })) };
  const parameters = plan.needsContext(node) ? '(v, c)' : '(v)';
  const checks = names.map((name) => {
    const args = plan.needsContext({ kind: 'ref', name }) ? 'v, c' : 'v';
    return `check${name}(${args})`;
  });
  const shapes = names.map((name) => `shape${name}`);
  return `[\n        ${parameters} => ${checks.join(' || ')},\n        /*@__PURE__*/ either(${shapes.join(', ')}),\n      ]`;
}

function functions(protocol: Protocol, envelopes: Envelopes, plan: Plan): string[] {
  const { definitions } = plan;
  const failure = definitions.get(envelopes.error)?.node ?? { kind: 'any' };
  const table = Object.entries(envelopes)
    .map(([kind, name]) => `  ${kind}: ${rule([name], plan)},\n`)
    .join('');
  return [
    `\nconst ENVELOPES: { readonly [kind in Kind]: Rule } = {\n${table}};\n`,
    '\n/** What stands for the id of a request that could not be read. */\n',
    findProperty(failure, 'id', definitions)?.required
      ? 'const NO_ID: { readonly id: null } = { id: null };\n'
      : 'const NO_ID: { readonly id?: never } = {};\n',
    fits(envelopes, repeatsEnvelope(protocol, plan), plan),
    receivedAnswer(envelopes),
    hasBatches(plan) ? BATCH_MESSAGE : MESSAGE,
    ...(['Request', 'Notification', 'Result'] as const).map((name) => kindOf(name, plan)),
  ];
}

function fits(envelopes: Envelopes, repeated: boolean, plan: Plan): string {
  const check = (kind: keyof Envelopes): string => {
    const name = envelopes[kind];
    return `check${plan.standIn(name)}(${plan.needsContext({ kind: 'ref', name }) ? 'v, c' : 'v'})`;
  };
  const whole = (kind: 'request' | 'notification'): string =>
    repeated ? "typeof v.method === 'string'" : `${check(kind)} && typeof v.method === 'string'`;
  return `
/** Looks only as far as it has to: at what the message is, then at that. */
function fits(v: Properties, kind: Kind, options: WireOptions): boolean {
  const c = contextOf(options);
  if (kind === 'error') return ${check('error')};
  if (kind === 'response') {
    if (!${check('response')}) return false;
    const method = options.methodOf?.(v.id as string);
    return method === undefined || knows('result', method, v.result, options, c);
  }
  if (kind === 'request') {
    return ${whole('request')} && knows(kind, v.method, v, options, c);
  }
  return ${whole('notification')} && knows(kind, v.method, v, options, c);
}
`;
}

function receivedAnswer({ response, error }: Envelopes): string {
  return `
/** An answer; its result is checked where \`methodOf\` knows the method. */
export type ReceivedAnswer =
  | { readonly ok: true; readonly kind: 'response'; readonly value: types.${response} }
  | { readonly ok: true; readonly kind: 'error'; readonly value: types.${error} };
`;
}

/** Every revision has definitions of these names too: then the function has an overload for each. */
function kindOf(name: keyof typeof KINDS, plan: Plan): string {
  const { definitions } = plan;
  const { alone, overload, wire, definition } = KINDS[name];
  if (!definitions.has(name)) return overload + alone;
  return overload + wire + definition.replace(/\b(check|shape)OWN\b/g, `$1${plan.standIn(name)}`);
}

/** Whether a message may be an array of messages. */
function hasBatches({ definitions }: Plan): boolean {
  const node = definitions.get('JSONRPCMessage')?.node;
  return node?.kind === 'union' && node.members.some(({ kind }) => kind === 'array');
}
