import type {
  Capability,
  Definition,
  ErrorCode,
  Notification,
  Protocol,
  Request,
} from '../../ir/index.js';
import { assign, block, key, list, objectList, print, quoted } from '../../format/layout.js';
import type { Code } from '../../format/layout.js';

/** What `protocol.ts` exports on its own account: a definition of such a name would be hidden. */
const INFO_TYPES = `
/** Who sends a message. */
export type Party = 'client' | 'server';

/** A key below one party's capabilities that has to be declared. */
export type Capability = { readonly party: Party; readonly path: readonly string[] };

export type RequestInfo = {
  /** The definition of the whole request. */
  readonly definition: string;
  readonly senders: readonly Party[];
  /** \`input\`: an entry of \`inputRequests\` in another request's result, not a message. */
  readonly carrier: 'message' | 'input';
  /** The definitions that may answer it, the usual one first. */
  readonly results: readonly string[];
  /** Whether \`params.task\` turns it into a task. */
  readonly augmentable: boolean;
  /** What the receiver has to declare. */
  readonly capabilities: readonly Capability[];
};

export type NotificationInfo = {
  readonly definition: string;
  readonly senders: readonly Party[];
  readonly capabilities: readonly Capability[];
};
`;

/** `protocol.ts`: methods, who sends them, what answers them, and the revision's constants. */
export function emitProtocol(protocol: Protocol): string {
  const { requests, notifications, addedResults } = protocol;
  return [
    usesTypes(protocol) ? "import type * as types from './types.js';\n" : '',
    constants(protocol),
    INFO_TYPES,
    requestMap(requests),
    addedResults.length > 0 ? addedResultMap(protocol) : '',
    notificationMap(notifications),
    table('REQUESTS', 'RequestMethod', 'RequestInfo', requests.map(requestEntry)),
    table('NOTIFICATIONS', 'NotificationMethod', 'NotificationInfo', notifications.map(infoEntry)),
  ].join('');
}

function usesTypes({ requests, notifications, addedResults }: Protocol): boolean {
  return requests.length + notifications.length + addedResults.length > 0;
}

function constants({ name, extension, definitions, errors, metaKeys }: Protocol): string {
  const version = definitions.find((definition) => definition.name === 'JSONRPCRequest');
  return [
    extension
      ? [
          '\n/** What client and server declare under `extensions`. */\n',
          constant('EXTENSION_ID', quoted(extension.id)),
          '\n/** The revision whose messages this extension adds to. */\n',
          constant('EXTENDS', quoted(extension.extends)),
        ]
      : ['\n', constant('PROTOCOL_VERSION', quoted(name))],
    version ? ['\n', constant('JSONRPC_VERSION', quoted(jsonRpcVersion(version)))] : [],
    '\n/** Reserved keys of `_meta`. */\n',
    constant('META_KEYS', [block(metaKeys.map(metaEntry)), ' as const']),
    '\n/** The codes of JSON-RPC and of this revision. */\n',
    constant('ERROR_CODES', [block(errors.map(errorEntry)), ' as const']),
    '\nexport type ErrorCode = (typeof ERROR_CODES)[keyof typeof ERROR_CODES];\n',
  ]
    .flat()
    .join('');
}

function constant(name: string, value: Code): string {
  return `${print(assign(`export const ${name}`, value))}\n`;
}

function jsonRpcVersion({ node }: Definition): string {
  const property =
    node.kind === 'object' ? node.properties.find(({ name }) => name === 'jsonrpc') : undefined;
  const value = property?.node.kind === 'literal' ? property.node.values[0] : undefined;
  return typeof value === 'string' ? value : '2.0';
}

/** `io.modelcontextprotocol/related-task` → `relatedTask`. */
function metaEntry(metaKey: string): Code {
  const last = metaKey.slice(metaKey.lastIndexOf('/') + 1);
  const name = last.replace(/[-.]([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return [key(name), ': ', quoted(metaKey)];
}

function errorEntry({ name, code }: ErrorCode): Code {
  return [key(name), ': ', String(code)];
}

function requestMap(requests: readonly Request[]): string {
  const entries = requests.map(({ method, definition, params, results }): Code => [
    key(method),
    ': ',
    block(
      [
        `params: ${paramsType(definition, params)}`,
        `result: ${results.map((result) => `types.${result}`).join(' | ') || 'unknown'}`,
      ],
      ';',
    ),
  ]);
  return [
    '\n/** The params and the result of each request, by method. */\n',
    typeAlias('RequestMap', entries),
    '\nexport type RequestMethod = keyof RequestMap;\n',
  ].join('');
}

function paramsType(definition: string, params: Request['params']): string {
  return params ? `types.${definition}['params']` : 'undefined';
}

function addedResultMap({ extension, addedResults }: Protocol): string {
  const entries = addedResults.map(({ method, result }): Code => [
    key(method),
    `: types.${result}`,
  ]);
  const base = extension ? ` of ${extension.extends}` : '';
  return [
    `\n/** Further results of requests${base}, once the extension is declared. */\n`,
    typeAlias('AddedResultMap', entries),
  ].join('');
}

function notificationMap(notifications: readonly Notification[]): string {
  const entries = notifications.map(({ method, definition, params }): Code => [
    key(method),
    ': ',
    block([`params: ${paramsType(definition, params)}`], ';'),
  ]);
  return [
    '\n/** The params of each notification, by method. */\n',
    typeAlias('NotificationMap', entries),
    '\nexport type NotificationMethod = keyof NotificationMap;\n',
  ].join('');
}

function typeAlias(name: string, entries: readonly Code[]): string {
  const body = entries.length > 0 ? block(entries, ';') : 'Record<never, never>';
  return `${print([`export type ${name} = `, body, ';'])}\n`;
}

function table(name: string, methods: string, info: string, entries: readonly Code[]): string {
  const type = `{ readonly [M in ${methods}]: ${info} }`;
  return `\n${print(assign(`export const ${name}: ${type}`, block(entries)))}\n`;
}

function requestEntry(request: Request): Code {
  return [
    key(request.method),
    ': ',
    block([
      `definition: ${quoted(request.definition)}`,
      ['senders: ', list(request.senders.map(quoted))],
      `carrier: ${quoted(request.carrier)}`,
      ['results: ', list(request.results.map(quoted))],
      `augmentable: ${String(request.augmentable)}`,
      ['capabilities: ', objectList(request.capabilities.map(capability))],
    ]),
  ];
}

function infoEntry(notification: Notification): Code {
  return [
    key(notification.method),
    ': ',
    block([
      `definition: ${quoted(notification.definition)}`,
      ['senders: ', list(notification.senders.map(quoted))],
      ['capabilities: ', objectList(notification.capabilities.map(capability))],
    ]),
  ];
}

function capability({ party, path }: Capability): Code {
  return ['{ party: ', quoted(party), ', path: ', list(path.map(quoted)), ' }'];
}
