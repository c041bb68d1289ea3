/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-non-null-assertion, @typescript-eslint/no-unnecessary-type-assertion -- it reads messages that may be anything */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOracle } from '../support/corpus/oracle.js';
import type { SchemaDocument } from '../support/corpus/document.js';
import { isBelow, OracleRules } from './oracle-rules.js';
import type { Line } from './recording.js';

/**
 * A second opinion on recordings, that shares no code with `contracts/validate`: ajv on the schema
 * files, and the rules of tasks, progress, subscriptions and capabilities in their plainest form,
 * with everything kept and nothing forgotten.
 */

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CLIENT = 'io.modelcontextprotocol/clientCapabilities';
const INFO = 'io.modelcontextprotocol/clientInfo';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const RELATED = 'io.modelcontextprotocol/related-task';
const TASKS = 'io.modelcontextprotocol/tasks';

type Json = Record<string, any>;
type Side = 'client' | 'server';

const schemas = new Map(
  [...REVISIONS, 'ext-tasks'].map((name) => {
    const file = join(import.meta.dirname, '../../schema', name, 'schema.json');
    const document = JSON.parse(readFileSync(file, 'utf8')) as SchemaDocument;
    const definitions = ((document as Json)['$defs'] ?? (document as Json)['definitions']) as Json;
    return [name, { definitions, oracle: createOracle(document, { formats: false }) }] as const;
  }),
);

const fits = (schema: string, names: string[], value: unknown): boolean => {
  const found = schemas.get(schema);
  const name = names.find((each) => found?.definitions[each] !== undefined);
  return name === undefined || found?.oracle.accepts(name, value) === true;
};

/** The definition of a method that a side sends as a request or notification. */
function definitionFor(
  revision: string,
  side: Side,
  kind: string,
  method: string,
  ext: boolean,
): [string, string] | undefined {
  const { definitions } = schemas.get(revision)!;
  const union = definitions[`${side === 'client' ? 'Client' : 'Server'}${kind}`];
  for (const { $ref } of (union?.anyOf ?? (union?.$ref ? [union] : [])) as Json[]) {
    const name = String($ref).split('/').at(-1)!;
    if (definitions[name]?.properties?.method?.const === method) return [revision, name];
  }
  // A union of one is written as its only member.
  if (union?.properties?.method?.const === method)
    return [revision, `${side === 'client' ? 'Client' : 'Server'}${kind}`];
  if (!ext || revision !== '2026-07-28') return undefined;
  const extra: Json = {
    client: {
      Request: {
        'tasks/get': 'GetTaskRequest',
        'tasks/update': 'UpdateTaskRequest',
        'tasks/cancel': 'CancelTaskRequest',
      },
    },
    server: { Notification: { 'notifications/tasks': 'TaskStatusNotification' } },
  };
  const name = extra[side][kind]?.[method] as string | undefined;
  return name === undefined ? undefined : ['ext-tasks', name];
}

const RESULTS: Json = {
  initialize: 'InitializeResult',
  ping: 'EmptyResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
  'resources/list': 'ListResourcesResult',
  'resources/read': 'ReadResourceResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/subscribe': 'EmptyResult',
  'resources/unsubscribe': 'EmptyResult',
  'logging/setLevel': 'EmptyResult',
  'completion/complete': 'CompleteResult',
  'roots/list': 'ListRootsResult',
  'sampling/createMessage': 'CreateMessageResult',
  'elicitation/create': 'ElicitResult',
  'tasks/get': 'GetTaskResult',
  'tasks/cancel': 'CancelTaskResult',
  'tasks/list': 'ListTasksResult',
  'tasks/result': 'GetTaskPayloadResult',
  'tasks/update': 'UpdateTaskResult',
  'server/discover': 'DiscoverResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
};
/** What the receiver of a request, or the sender of a notification, has to declare. */
const NEEDS: Json = {
  'tools/list': 'tools',
  'tools/call': 'tools',
  'prompts/list': 'prompts',
  'prompts/get': 'prompts',
  'resources/list': 'resources',
  'resources/read': 'resources',
  'resources/templates/list': 'resources',
  'resources/subscribe': 'resources.subscribe',
  'resources/unsubscribe': 'resources.subscribe',
  'logging/setLevel': 'logging',
  'completion/complete': 'completions',
  'roots/list': 'roots',
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'tasks/list': 'tasks.list',
  'tasks/cancel': 'tasks.cancel',
  'tasks/get': 'tasks',
  'tasks/result': 'tasks',
  'notifications/tasks/status': 'tasks',
  'notifications/message': 'logging',
  'notifications/tools/list_changed': 'tools.listChanged',
  'notifications/prompts/list_changed': 'prompts.listChanged',
  'notifications/resources/list_changed': 'resources.listChanged',
  'notifications/resources/updated': 'resources.subscribe',
  'notifications/roots/list_changed': 'roots.listChanged',
};
const FILTER: Json = {
  'notifications/tools/list_changed': 'toolsListChanged',
  'notifications/prompts/list_changed': 'promptsListChanged',
  'notifications/resources/list_changed': 'resourcesListChanged',
  'notifications/resources/updated': 'resourceSubscriptions',
  'notifications/tasks': 'taskIds',
};
const ENDED = ['completed', 'failed', 'cancelled'];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isId = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
const dig = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (found, key) => (isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined),
      value,
    );
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : isObject(value)
      ? Object.fromEntries(
          Object.keys(value)
            .sort()
            .map((key) => [key, sorted(value[key])]),
        )
      : value;
const key = (side: Side, id: unknown): string => `${side} ${JSON.stringify(id)}`;

interface Task {
  method?: string;
  end?: { at: number; status?: string; time: number; stream: string };
  inputs: Map<string, { text: string; method: unknown; gone?: number; answered?: number }>;
}

/** The lines, from 0, that break a rule. */
export function judge(lines: readonly Line[]): number[] {
  const bad = new Set<number>();
  const open = new Map<string, Json>();
  const closed = new Map<string, Json>();
  const tokens = new Map<string, Json>();
  const tasks = new Map<string, Task>();
  const listens = new Map<string, Json>();
  const tools = new Map<string, string>();
  const heard = new Set<Side>();
  const more = new OracleRules();
  let declared: Partial<Record<Side, unknown>> = {};
  let whole = false;
  let ext = false;
  const firstVersion = (): string | undefined => {
    let proposed: string | undefined;
    for (const { message } of lines) {
      const own = (message as Json)['params']?._meta?.[VERSION];
      const settled =
        (message as Json)['method'] === undefined
          ? (message as Json)['result']?.protocolVersion
          : undefined;
      if (typeof own === 'string') return own;
      if (typeof settled === 'string') return settled;
      if (
        (message as Json)['method'] === 'initialize' &&
        typeof (message as Json)['params']?.protocolVersion === 'string'
      )
        proposed = (message as Json)['params'].protocolVersion as string;
    }
    return proposed;
  };
  let revision = firstVersion();
  const has = (side: Side, path: string): boolean | undefined => {
    if (!isObject(declared[side])) return undefined;
    const value = dig(declared[side], path);
    return value !== undefined && value !== false;
  };
  const other = (side: Side): Side => (side === 'client' ? 'server' : 'client');
  const taskOf = (owner: Side, id: unknown): Task | undefined => {
    if (typeof id !== 'string') return undefined;
    const name = key(owner, id);
    if (!tasks.has(name)) tasks.set(name, { inputs: new Map() });
    return tasks.get(name);
  };

  lines.forEach(({ direction: side, message }, at) => {
    const m = message as Json;
    const blame = (): void => void bad.add(at);
    /** Rules that only count for messages that match their definitions. */
    const later: boolean[] = [];
    const check = (broken: boolean): void => void later.push(broken);
    const finish = (isSound: boolean): void => {
      if (!isSound || later.includes(true)) blame();
    };
    const announcedIn =
      m['method'] === undefined
        ? m['result']?.capabilities
        : m['method'] === 'initialize'
          ? m['params']?.capabilities
          : m['params']?._meta?.[CLIENT];
    if (
      isObject(announcedIn) &&
      isObject(announcedIn['extensions']) &&
      Object.hasOwn(announcedIn['extensions'], TASKS)
    )
      ext = true;

    const checkState = (
      state: unknown,
      owner: Side,
      core: boolean,
      asked: number | undefined,
      stream: string,
      created = false,
    ): void => {
      if (!isObject(state)) return;
      for (const name of ['createdAt', 'lastUpdatedAt'])
        check(typeof state[name] === 'string' && !TIME.test(state[name]));
      for (const name of core ? ['ttlMs', 'pollIntervalMs'] : ['ttl', 'pollInterval'])
        check(state[name] !== undefined);
      if (created) return;
      const task = taskOf(owner, state['taskId']);
      if (
        !core &&
        state['status'] === 'completed' &&
        typeof state['result']?.resultType === 'string'
      )
        check(state['result'].resultType !== 'complete');
      if (!task) return;
      const status = state['status'] as string;
      const time = Date.parse(state['lastUpdatedAt'] as string);
      if ([...ENDED, 'working', 'input_required'].includes(status)) {
        if (!task.end) {
          if (ENDED.includes(status)) task.end = { at, status, time, stream };
        } else if (status !== task.end.status) {
          const after =
            asked === undefined
              ? time > task.end.time || (time === task.end.time && stream === task.end.stream)
              : asked > task.end.at;
          if (after && task.end.status === undefined && ENDED.includes(status))
            task.end.status = status;
          else check(after);
        }
      }
      if (core) return;
      const requests = isObject(state['inputRequests']) ? state['inputRequests'] : {};
      for (const [name, request] of Object.entries(requests)) {
        const text = JSON.stringify(sorted(request));
        const known = task.inputs.get(name);
        if (known)
          check(
            known.text !== text ||
              (known.gone !== undefined && asked !== undefined && asked > known.gone),
          );
        else task.inputs.set(name, { text, method: (request as Json)?.['method'] });
      }
      if (asked !== undefined)
        for (const [name, input] of task.inputs)
          if (!Object.hasOwn(requests, name)) input.gone ??= at;
    };

    if (m['method'] !== undefined) {
      const own = m['params']?._meta?.[VERSION];
      const proposed = m['method'] === 'initialize' ? m['params']?.protocolVersion : undefined;
      if (typeof own === 'string') revision = own;
      const name =
        typeof own === 'string'
          ? own
          : REVISIONS.includes(proposed)
            ? (proposed as string)
            : revision;
      if (name === undefined || !REVISIONS.includes(name)) return blame();
      heard.add(side);
      const stateless = name === '2026-07-28';
      const extended = stateless && ext;
      const core = name === '2025-11-25';
      const kind = m['id'] === undefined ? 'Notification' : 'Request';
      const method = m['method'] as string;
      const params = m['params'] as Json | undefined;
      const found = definitionFor(name, side, kind, method, ext);
      // A client asks by it whether a server reads that has said nothing.
      const probes =
        stateless &&
        kind === 'Request' &&
        method === 'ping' &&
        side === 'client' &&
        !heard.has('server');
      let sound =
        probes ||
        (found !== undefined && fits(found[0], [found[1]], m) && fits(name, [`JSONRPC${kind}`], m));
      const extensions = params?.['_meta']?.[CLIENT]?.extensions;
      const declares = isObject(extensions) && Object.hasOwn(extensions, TASKS);
      if (typeof method !== 'string') return blame();
      const sent = { at, side, revision: name, method, params, id: m['id'] };
      if (kind === 'Notification') {
        check(more.notification(sent));
        const need = NEEDS[method];
        if (need && found) check(has(side, need) === false);
        if (method === 'notifications/tasks' && extended)
          check(
            has('server', 'extensions') !== undefined &&
              dig(declared.server, 'extensions') !== undefined &&
              !isObject((declared.server as Json)['extensions']?.[TASKS]),
          );
        if (method === 'notifications/tasks' && isObject(declared.server))
          check(!Object.hasOwn((declared.server as Json)['extensions'] ?? {}, TASKS));
        if (method === 'notifications/elicitation/complete' && isObject(declared.client))
          check(dig(declared.client, 'elicitation.url') === undefined);
        if (extended && method === 'notifications/subscriptions/acknowledged')
          sound &&= fits(
            'ext-tasks',
            ['TaskSubscriptionAcknowledgedNotifications'],
            params?.['notifications'],
          );
        if (extended && method === 'notifications/tasks' && params?.['status'] === 'completed')
          sound &&= fits(name, ['CallToolResult'], params['result']);
        if (
          (core && method === 'notifications/tasks/status') ||
          (extended && method === 'notifications/tasks')
        ) {
          checkState(
            params,
            other(side),
            core,
            undefined,
            JSON.stringify([side, params?.['_meta']?.[SUBSCRIPTION]]),
          );
          if (core) check(params?.['_meta']?.[RELATED] !== undefined);
        }
        if (method === 'notifications/progress' && isId(params?.['progressToken'])) {
          const token = tokens.get(key(other(side), params!['progressToken']));
          if (!token) check(true);
          else {
            check(token['ended'] === true || token['task']?.end !== undefined);
            const progress = params!['progress'];
            if (typeof progress === 'number') {
              check(token['last'] !== undefined && progress <= token['last']);
              token['last'] = Math.max(progress, (token['last'] as number | undefined) ?? progress);
            }
          }
        }
        if (method === 'notifications/cancelled' && isId(params?.['requestId'])) {
          const request =
            open.get(key(side, params!['requestId'])) ??
            closed.get(key(side, params!['requestId']));
          check(request ? request['method'] === 'initialize' || request['task'] === true : whole);
        }
        if (stateless && side === 'server') {
          const id = params?.['_meta']?.[SUBSCRIPTION];
          const acknowledges = method === 'notifications/subscriptions/acknowledged';
          if (!isId(id)) check(id === undefined && (acknowledges || FILTER[method] !== undefined));
          else {
            const listen = listens.get(JSON.stringify(id));
            const asked = (listen?.['filter'] ?? {}) as Json;
            if (!listen) check(true);
            else if (acknowledges) {
              const got = (params?.['notifications'] ?? {}) as Json;
              listen['granted'] ??= params?.['notifications'];
              for (const filter of Object.values(FILTER) as string[]) {
                check(got[filter] === true && asked[filter] !== true);
                if (Array.isArray(got[filter]))
                  check(
                    got[filter].some(
                      (each: unknown) =>
                        typeof each === 'string' &&
                        !(Array.isArray(asked[filter]) && asked[filter].includes(each)),
                    ),
                  );
              }
            } else if (listen['granted'] === undefined) check(true);
            else {
              const wanted =
                FILTER[method] === undefined ? undefined : asked[FILTER[method] as string];
              if (method === 'notifications/tasks')
                check(
                  !(
                    typeof params?.['taskId'] !== 'string' ||
                    (Array.isArray(wanted) && wanted.includes(params['taskId']))
                  ),
                );
              else if (method === 'notifications/resources/updated')
                check(!isBelow(params?.['uri'], Array.isArray(wanted) ? wanted : []));
              else check(wanted !== true);
            }
          }
        }
        return finish(sound);
      }
      if (!isId(m['id'])) return finish(sound);
      if (method === 'initialize') {
        if (at === 0) whole = more.whole = true;
        closed.clear();
        declared = { client: params?.['capabilities'] };
      }
      const slot = key(side, m['id']);
      if (open.has(slot) || (closed.has(slot) && !stateless && whole)) blame();
      closed.delete(slot);
      more.note(sent);
      check(more.request(sent));
      const taskId =
        method.startsWith('tasks/') && typeof params?.['taskId'] === 'string'
          ? (params['taskId'] as string)
          : undefined;
      const was = taskId === undefined ? undefined : tasks.get(key(side, taskId));
      const request: Json = {
        id: m['id'],
        method,
        name,
        at,
        taskId,
        side,
        declares,
        others: isObject(extensions) && Object.keys(extensions).some((each) => each !== TASKS),
        inputs: params?.['_meta']?.[CLIENT],
        augmented: core && isObject(params?.['task']),
        related: core ? params?.['_meta']?.[RELATED]?.taskId : undefined,
        tool: method === 'tools/call' ? params?.['name'] : undefined,
        token: params?.['_meta']?.progressToken,
        answered: core && method === 'tasks/result' && was?.method ? was.method : method,
        known: found !== undefined,
        probes,
        sent,
      };
      open.set(slot, request);
      if (method === 'subscriptions/listen')
        listens.set(JSON.stringify(m['id']), { filter: params?.['notifications'] });
      if (isId(request['token'])) {
        const known = tokens.get(key(side, request['token']));
        check(known !== undefined && known['ended'] !== true && known['task']?.end === undefined);
        tokens.set(key(side, request['token']), {});
      }
      const need = NEEDS[method];
      if (need && found && found[0] !== 'ext-tasks') check(has(other(side), need) === false);
      if (found?.[0] === 'ext-tasks' && isObject(declared.server))
        check(!Object.hasOwn((declared.server as Json)['extensions'] ?? {}, TASKS));
      if (extended) {
        const needsExtension =
          method.startsWith('tasks/') ||
          (method === 'subscriptions/listen' && params?.['notifications']?.taskIds !== undefined);
        check(needsExtension && !declares);
        if (method.startsWith('tasks/')) sound &&= fits(name, ['RequestParams'], params);
        if (method === 'subscriptions/listen')
          sound &&= fits('ext-tasks', ['TaskSubscriptionNotifications'], params?.['notifications']);
        if (was && isObject(params?.['inputResponses'])) {
          for (const [input, value] of Object.entries(params!['inputResponses'] as Json)) {
            const known = was.inputs.get(input);
            if (!known) continue;
            if (typeof known.method === 'string' && RESULTS[known.method])
              sound &&= fits(name, [RESULTS[known.method] as string], value);
            if (method !== 'tasks/update') continue;
            check(known.answered !== undefined);
            known.answered ??= at;
          }
        }
      }
      if (stateless && isObject(params?.['_meta']))
        check(!Object.hasOwn(params!['_meta'] as Json, INFO));
      const takes = has(other(side), `tasks.requests.${method.replace('/', '.')}`);
      if (
        request['augmented'] &&
        ['tools/call', 'elicitation/create', 'sampling/createMessage'].includes(method)
      )
        check(takes === false);
      request['support'] =
        core && method === 'tools/call' && takes === true
          ? tools.get(request['tool'] as string)
          : undefined;
      check(request['support'] === 'required' && !request['augmented']);
      check(request['support'] === 'forbidden' && request['augmented'] === true);
      return finish(sound);
    }

    // An answer.
    const result = m['result'] as Json | undefined;
    const slot = key(other(side), m['id']);
    const request = isId(m['id']) ? open.get(slot) : undefined;
    if (result !== undefined && m['error'] !== undefined) blame();
    heard.add(side);
    if (!request) {
      if (isId(m['id']) && (closed.has(slot) || heard.has(other(side)))) blame();
      const settled = result?.['protocolVersion'];
      if (typeof settled === 'string') revision = settled;
      const name = typeof settled === 'string' ? settled : revision;
      if (name === undefined || !REVISIONS.includes(name)) return blame();
      const shape =
        result === undefined && m['error'] !== undefined
          ? ['JSONRPCErrorResponse', 'JSONRPCError']
          : ['JSONRPCResultResponse', 'JSONRPCResponse'];
      return finish(fits(name, shape, m));
    }
    open.delete(slot);
    const settled = request['method'] === 'initialize' ? result?.['protocolVersion'] : undefined;
    if (typeof settled === 'string') revision = settled;
    const name = typeof settled === 'string' ? settled : (request['name'] as string);
    const coreTask =
      isObject(result?.['task']) && typeof result['task'].taskId === 'string'
        ? (result['task'].taskId as string)
        : undefined;
    const flatTask =
      result?.['resultType'] === 'task' && typeof result['taskId'] === 'string'
        ? (result['taskId'] as string)
        : undefined;
    const created = result?.['resultType'] === 'task' ? flatTask : coreTask;
    closed.set(slot, { method: request['method'], task: created !== undefined });
    if (request['probes']) return;
    if (!REVISIONS.includes(name)) return blame();
    const stateless = name === '2026-07-28';
    const core = name === '2025-11-25';
    const owner = request['side'] as Side;
    const method = request['method'] as string;
    check(more.answer(request['sent'], m, at, name, name === '2025-11-25', stateless && ext));
    const token = isId(request['token']) ? tokens.get(key(owner, request['token'])) : undefined;
    if (result === undefined && m['error'] !== undefined) {
      if (token) token['ended'] = true;
      const wanted: Json = {
        '-32020': 'HeaderMismatchError',
        '-32021': 'MissingRequiredClientCapabilityError',
        '-32022': 'UnsupportedProtocolVersionError',
        '-32042': 'URLElicitationRequiredError',
      };
      const special = wanted[String(m['error']?.code)] as string | undefined;
      const task =
        request['taskId'] === undefined ? undefined : tasks.get(key(owner, request['taskId']));
      if (task && method === 'tasks/update')
        for (const input of task.inputs.values())
          if (input.answered === request['at']) delete input.answered;
      return finish(
        fits(name, ['JSONRPCErrorResponse', 'JSONRPCError'], m) &&
          (special === undefined || fits(name, [special], m)),
      );
    }
    let sound = fits(name, ['JSONRPCResultResponse', 'JSONRPCResponse'], m);
    if (['initialize', 'server/discover'].includes(method))
      declared.server = result?.['capabilities'];
    const extended = stateless && ext;
    if (request['known']) {
      const usual = RESULTS[request['answered'] as string] as string;
      const where = extended && method.startsWith('tasks/') ? 'ext-tasks' : name;
      const type = result?.['resultType'];
      const rounds = ['tools/call', 'prompts/get', 'resources/read'].includes(method);
      if (stateless && typeof type === 'string' && type !== 'complete') {
        if (type === 'input_required' && rounds) {
          sound &&= fits(name, ['InputRequiredResult'], result);
          check(result?.['inputRequests'] === undefined && result?.['requestState'] === undefined);
          if (isObject(result?.['inputRequests']))
            for (const each of Object.values(result['inputRequests'] as Json)) {
              const need = (
                {
                  'elicitation/create': 'elicitation',
                  'sampling/createMessage': 'sampling',
                  'roots/list': 'roots',
                } as Json
              )[(each as Json)?.['method'] as string] as string | undefined;
              check(need !== undefined && dig(request['inputs'], need) === undefined);
            }
        } else if (type === 'task' && method === 'tools/call') {
          check(!request['declares']);
          if (extended) sound &&= fits('ext-tasks', ['CreateTaskResult'], result);
        } else check(!(request['others'] && type !== 'input_required' && type !== 'task'));
      } else if (
        core &&
        ['tools/call', 'elicitation/create', 'sampling/createMessage'].includes(method)
      ) {
        const takes = has(other(owner), `tasks.requests.${method.replace('/', '.')}`);
        const isTask = result?.['task'] !== undefined;
        if (request['augmented'] && takes !== false)
          sound &&= fits(name, [takes || isTask ? 'CreateTaskResult' : usual], result);
        else if (isTask && !fits(name, [usual], result)) {
          check(true);
          sound &&= fits(name, ['CreateTaskResult'], result);
        } else sound &&= fits(name, [usual], result);
      } else sound &&= fits(where, [usual], result);
      if (extended && method === 'tasks/get' && result?.['status'] === 'completed')
        sound &&= fits(name, ['CallToolResult'], result['result']);
    }
    if (method === 'subscriptions/listen' && isId(result?.['_meta']?.[SUBSCRIPTION]))
      check(result!['_meta'][SUBSCRIPTION] !== m['id']);
    const begin = (id: string): void => {
      const earlier = tasks.get(key(owner, id));
      check(earlier?.method !== undefined);
      tasks.set(key(owner, id), { ...(earlier ?? { inputs: new Map() }), method });
    };
    const wrong = (id: unknown): void =>
      check(typeof id === 'string' && request['taskId'] !== undefined && id !== request['taskId']);
    if (core) {
      const related = result?.['_meta']?.[RELATED];
      if (['tasks/get', 'tasks/list', 'tasks/cancel'].includes(method))
        check(related !== undefined);
      else {
        const wanted = method === 'tasks/result' ? request['taskId'] : request['related'];
        check(typeof wanted === 'string' && related?.taskId !== wanted);
      }
      if (method === 'tools/list' && Array.isArray(result?.['tools']))
        for (const tool of result['tools'] as Json[])
          if (typeof tool?.['name'] === 'string')
            tools.set(
              tool['name'],
              typeof tool['execution']?.taskSupport === 'string'
                ? tool['execution'].taskSupport
                : 'forbidden',
            );
      if (method === 'tasks/get' || method === 'tasks/cancel') {
        wrong(result?.['taskId']);
        if (method === 'tasks/cancel') {
          const task =
            request['taskId'] === undefined ? undefined : tasks.get(key(owner, request['taskId']));
          check(
            (task?.end !== undefined && task.end.at < request['at']) ||
              (typeof result?.['status'] === 'string' && result['status'] !== 'cancelled'),
          );
        }
        checkState(result, owner, true, request['at'] as number, 'answers');
      } else if (method === 'tasks/list') {
        if (Array.isArray(result?.['tasks']))
          for (const each of result['tasks'] as unknown[])
            checkState(each, owner, true, request['at'] as number, 'answers');
      } else if (method === 'tasks/result') {
        const task = taskOf(owner, request['taskId']);
        if (task) {
          task.end ??= { at, time: Number.NaN, stream: '' };
          check(result?.['isError'] === true && task.end.status === 'completed');
        }
      } else {
        check(request['support'] === 'required' && !request['augmented']);
        if (created !== undefined) {
          begin(created);
          check(request['support'] === 'forbidden');
          if (typeof result?.['task']?.status === 'string')
            check(result['task'].status !== 'working');
          checkState(result?.['task'], owner, true, undefined, '', true);
        }
      }
    } else if (extended) {
      if (result?.['resultType'] === 'task') {
        if (method === 'tools/call' && flatTask !== undefined) {
          begin(flatTask);
          checkState(result, owner, false, undefined, '', true);
          for (const extra of [
            'task',
            'content',
            'result',
            'error',
            'inputRequests',
            'requestState',
          ])
            check(result[extra] !== undefined);
        }
      } else {
        check(method.startsWith('tasks/') && !request['declares']);
        if (method === 'tasks/get') {
          wrong(result?.['taskId']);
          checkState(result, owner, false, request['at'] as number, 'answers');
        }
      }
    }
    if (token) {
      token['task'] = created === undefined ? undefined : tasks.get(key(owner, created));
      token['ended'] = token['task'] === undefined;
    }
    return finish(sound);
  });
  return [...bad].sort((a, b) => a - b);
}
