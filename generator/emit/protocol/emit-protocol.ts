import type { Capability, ErrorCode, Notification, Request } from '../../ir/index.js';
import {
  assign,
  block,
  key,
  list,
  objectList,
  objectOf,
  print,
  quoted,
  typed,
} from '../format/layout.js';
import type { Code } from '../format/layout.js';
import { exportTypes } from '../imports.js';
import type { Metamodel } from '../metamodel/metamodel.js';
import { createNames } from '../validators/identifiers.js';
import { INFO_TYPES } from './exports.js';

/** `protocol.ts`: methods with their senders and results, and the revision's constants. It reads the metamodel only. */
export function emitProtocol(model: Metamodel): string {
  const { requests, notifications, addedResults } = model;
  return [
    "import type { NotificationInfo, RequestInfo } from '../support/protocol.js';\n",
    usesTypes(model) ? "import type * as types from './types.js';\n" : '',
    '\n',
    exportTypes('protocol', INFO_TYPES),
    constants(model),
    requestMap(requests),
    featureMap(requests),
    addedResults.length > 0 ? addedResultMap(model) : '',
    notificationMap(notifications),
    table('REQUESTS', 'RequestMethod', 'RequestInfo', first(requests).map(requestEntry)),
    table(
      'NOTIFICATIONS',
      'NotificationMethod',
      'NotificationInfo',
      first(notifications).map(infoEntry),
    ),
  ].join('');
}

function usesTypes({ requests, notifications, addedResults }: Metamodel): boolean {
  return (
    addedResults.length > 0 ||
    requests.some(({ params, results }) => params || results.length > 0) ||
    notifications.some(({ params }) => params)
  );
}

function constants({ name, extension, jsonrpc, errors, metaKeys }: Metamodel): string {
  return [
    extension
      ? [
          '\n/** What client and server declare under `extensions`. */\n',
          constant('EXTENSION_ID', quoted(extension.id)),
          '\n/** The revision whose messages this extension adds to. */\n',
          constant('EXTENDS', quoted(extension.extends)),
        ]
      : ['\n', constant('PROTOCOL_VERSION', quoted(name))],
    jsonrpc === undefined ? [] : ['\n', constant('JSONRPC_VERSION', quoted(jsonrpc))],
    '\n/** Reserved keys of `_meta`. */\n',
    constant('META_KEYS', [block(numbered(metaKeys.map(metaEntry))), ' as const']),
    '\n/** The codes of JSON-RPC and of this revision. */\n',
    constant('ERROR_CODES', [block(numbered(errors.map(errorEntry))), ' as const']),
    '\nexport type ErrorCode = (typeof ERROR_CODES)[keyof typeof ERROR_CODES];\n',
  ]
    .flat()
    .join('');
}

function constant(name: string, value: Code): string {
  return `${print(assign(`export const ${name}`, value))}\n`;
}

/** `io.modelcontextprotocol/related-task` → `relatedTask`. */
type Entry = readonly [name: string, value: string];

/** A name is unique in an object literal, so a second one gets a number. */
function numbered(entries: readonly Entry[]): Code[] {
  const names = createNames([]);
  return entries.map(([name, value]) => [key(names.take(name)), ': ', value]);
}

function metaEntry(metaKey: string): Entry {
  const last = metaKey.slice(metaKey.lastIndexOf('/') + 1);
  const name = last.replace(/[-.]([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return [name, quoted(metaKey)];
}

function errorEntry({ name, code }: ErrorCode): Entry {
  return [name, String(code)];
}

function requestMap(requests: readonly Request[]): string {
  const entries = [...byMethod(requests)].map(([method, all]): Code => [
    key(method),
    ': ',
    block(
      [
        typed('params', distinct(all.map(paramsType))),
        typed('result', distinct(all.flatMap(resultTypes))),
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

/** Requests that are only entries of another's result are served by no method. */
function featureMap(requests: readonly Request[]): string {
  const messages = requests.filter(({ carrier }) => carrier === 'message');
  const sides = (['client', 'server'] as const).map((party): Code => {
    const features = new Map<string, string[]>();
    for (const { method, senders, capabilities } of messages) {
      if (senders.every((sender) => sender === party)) continue;
      const [first = 'always', second = first] =
        capabilities.find((each) => each.party === party)?.path ?? [];
      const feature = first === 'extensions' ? second : first;
      features.set(feature, [...(features.get(feature) ?? []), quoted(method)]);
    }
    const entries = [...features].sort(([a], [b]) => (a < b ? -1 : 1));
    return [`${party}: `, blockOf(entries.map(([name, all]) => [typed(key(name), distinct(all))]))];
  });
  return [
    '\n/** The methods that each side serves, by the capability that it declares for them; `always` needs none. */\n',
    typeAlias('FeatureMap', sides),
  ].join('');
}

/** A schema may define two messages of one method; the type is then their union. */
function byMethod<T extends { readonly method: string }>(
  messages: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const each of messages) {
    const known = found.get(each.method);
    if (known) known.push(each);
    else found.set(each.method, [each]);
  }
  return found;
}

/** The first of each method. */
function first<T extends { readonly method: string }>(messages: readonly T[]): T[] {
  return [...byMethod(messages).values()].flatMap(([each]) => each ?? []);
}

const distinct = (types: readonly string[]): string[] => [...new Set(types)];

const typeOf = (definition: string): string => `types.${definition}`;

const resultTypes = ({ results }: Request): string[] =>
  results.length > 0 ? results.map(typeOf) : ['unknown'];

function paramsType({ definition, params }: Pick<Request, 'definition' | 'params'>): string {
  return params ? `types.${definition}['params']` : 'undefined';
}

function addedResultMap({ extension, addedResults }: Metamodel): string {
  const entries = [...byMethod(addedResults)].map(([method, all]): Code => [
    typed(key(method), distinct(all.map(({ result }) => typeOf(result)))),
  ]);
  const base = extension ? ` of ${extension.extends}` : '';
  return [
    `\n/** Further results of requests${base}, once the extension is declared. */\n`,
    typeAlias('AddedResultMap', entries),
  ].join('');
}

function notificationMap(notifications: readonly Notification[]): string {
  const entries = [...byMethod(notifications)].map(([method, all]): Code => [
    key(method),
    ': ',
    block([typed('params', distinct(all.map(paramsType)))], ';'),
  ]);
  return [
    '\n/** The params of each notification, by method. */\n',
    typeAlias('NotificationMap', entries),
    '\nexport type NotificationMethod = keyof NotificationMap;\n',
  ].join('');
}

function typeAlias(name: string, entries: readonly Code[]): string {
  return `${print([`export type ${name} = `, blockOf(entries), ';'])}\n`;
}

function blockOf(entries: readonly Code[]): Code {
  return entries.length > 0 ? block(entries, ';') : 'Record<never, never>';
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
  return objectOf([`party: ${quoted(party)}`, ['path: ', list(path.map(quoted))]]);
}
