/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return -- it reads messages that may be anything */
import { Ajv2020 } from 'ajv/dist/2020.js';

/**
 * The second opinion on the rules of handshakes, pages, tools, questions and rounds, in their plainest form. Each method
 * returns whether the message breaks one of them.
 */

type Json = any;
type Side = 'client' | 'server';

export interface Sent {
  readonly at: number;
  readonly side: Side;
  readonly revision: string;
  readonly method: string;
  readonly params: Json;
  readonly id?: unknown;
}

const META = 'io.modelcontextprotocol/';
const LEVELS = 'debug info notice warning error critical alert emergency'.split(' ');
const NEXT = ['tools/call', 'prompts/get', 'resources/read'];
const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
const text = JSON.stringify;
const same = (value: Json): string =>
  text(value, (_, each) =>
    each && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
const list = (value: Json): Json[] => (Array.isArray(value) ? value : []);
const entries = (value: Json): [string, Json][] =>
  value && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
const fits = (schema: Json, value: Json): boolean => {
  if (typeof schema !== 'object' || schema === null) return true;
  try {
    return ajv.validate(schema, value);
  } catch {
    return true;
  }
};
const isBase64 = (value: Json): boolean =>
  typeof value !== 'string' || value.replace(/[=\s]+$/, '').match(/[^A-Za-z0-9+/_\s-]/) === null;
const badBlock = (block: Json): boolean =>
  block?.type === 'resource'
    ? !isBase64(block.resource?.blob)
    : ['image', 'audio'].includes(block?.type) &&
      (!isBase64(block.data) ||
        (typeof block.mimeType === 'string' && !/^\S+\/\S+/.test(block.mimeType)));
const badKey = (key: string): boolean => {
  const parts = key.split('/');
  const name = parts.pop() ?? '';
  const label = /^[a-z]$|^[a-z][a-z0-9-]*[a-z0-9]$/i;
  if (parts.length > 1 || parts.some((part) => !part.split('.').every((each) => label.test(each))))
    return true;
  return !(name === '' || /^[a-z0-9]$|^[a-z0-9][\w.-]*[a-z0-9]$/i.test(name));
};

/** Whether a resource is at one of these addresses or below it. */
export const isBelow = (uri: Json, listed: readonly Json[]): boolean =>
  typeof uri !== 'string' ||
  listed.some((each) => {
    if (typeof each !== 'string') return false;
    const parts = each.split('/');
    while (parts.length > 1 && parts.at(-1) === '') parts.pop();
    const base = parts.join('/');
    return uri === base || ['/', '?', '#'].some((next) => uri.startsWith(base + next));
  });

export class OracleRules {
  whole = false;
  #phase = 'none';
  #early = false;
  #first = -1;
  #served = false;
  #cursors = new Map<string, Json>();
  #tools = new Map<string, Json>();
  #order: string[] = [];
  #level = 0;
  readonly #subscribed = new Map<string, number>();
  #elicitations = new Set<unknown>();
  #questions = new Map<string, Json>();
  #rounds: { print: string; state: string | undefined; names: string[]; id: unknown }[] = [];
  #open = new Map<string, Sent>();
  #acknowledged = new Set<string>();
  #taskTools = new Map<string, string>();
  #created = new Map<string, number>();
  #results = new Map<string, string>();
  #gets = new Map<string, number>();
  #walk: Json;
  #walked: Json;

  request(sent: Sent): boolean {
    const { at, side, revision, method, params, id } = sent;
    const stateless = revision === '2026-07-28';
    let bad = this.#meta(params, revision);
    if (method === 'initialize') {
      this.#phase = 'asked';
      this.#early = this.#served = false;
      this.#subscribed.clear();
      this.#first = -1;
      this.#level = 0;
      this.#cursors.clear();
      this.#tools.clear();
    } else if (['asked', 'answered'].includes(this.#phase) && method !== 'ping') {
      if (side === 'server' || this.#phase === 'asked') bad = true;
      else if (this.#served) [bad, this.#phase] = [true, 'ready'];
      else if (this.#first < 0) this.#first = at;
    }
    const cursor = params?.cursor;
    if (typeof cursor === 'string' && !stateless && this.whole)
      bad ||= !this.#cursors.has(text([side, method, cursor]));
    if (method === 'resources/subscribe' && typeof params?.uri === 'string')
      this.#subscribed.set(params.uri, at);
    if (method === 'tools/call') {
      const listed = this.#tools.get(params?.name);
      if (listed) bad ||= !fits(listed.inputSchema, params?.arguments ?? {});
    }
    const direct = ['elicitation/create', 'sampling/createMessage', 'roots/list'].includes(method);
    if (direct) bad = this.#ask(text(['direct', side, id]), method, params) || bad;
    if (method === 'elicitation/create') this.#elicitations.add(params?.elicitationId);
    if (stateless && NEXT.includes(method)) bad = this.#repeat(sent) || bad;
    if (method === 'tasks/update' && stateless)
      for (const [name, reply] of entries(params?.inputResponses))
        bad = this.#reply(text(['task', side, params?.taskId, name]), reply) || bad;
    this.#open.set(text([side, id]), sent);
    return bad;
  }

  notification({ side, revision, method, params }: Sent): boolean {
    const stateless = revision === '2026-07-28';
    let bad = this.#meta(params, revision);
    if (method === 'notifications/initialized' && side === 'client') {
      if (this.#phase === 'answered') this.#phase = 'ready';
      if (this.#phase === 'asked') bad = this.#early = true;
    }
    if (method === 'notifications/tools/list_changed') this.#tools.clear();
    if (side !== 'server') return bad;
    if (method === 'notifications/message') bad ||= this.#log(params, stateless);
    if (method === 'notifications/resources/updated')
      bad ||= !stateless && this.whole && !isBelow(params?.uri, [...this.#subscribed.keys()]);
    if (method === 'notifications/elicitation/complete')
      bad ||= this.whole && !this.#elicitations.has(params?.elicitationId);
    if (
      method === 'notifications/subscriptions/acknowledged' &&
      params?.notifications !== undefined
    )
      this.#acknowledged.add(text(params?._meta?.[`${META}subscriptionId`]));
    if (method === 'notifications/cancelled' && stateless) {
      const request = this.#all.get(text(['client', params?.requestId]));
      bad ||= request !== undefined && request !== 'subscriptions/listen';
    }
    if (method === 'notifications/tasks' && stateless) bad = this.#extTask('client', params) || bad;
    if (method === 'notifications/tasks/status') bad = this.#creation('client', params) || bad;
    return bad;
  }

  readonly #all = new Map<string, string>();

  answer(
    sent: Sent,
    message: Json,
    at: number,
    revision: string,
    core: boolean,
    ext: boolean,
  ): boolean {
    const { side, method, params, id } = sent;
    const { result } = message;
    const stateless = revision === '2026-07-28';
    this.#open.delete(text([side, id]));
    if (method === 'initialize') {
      if (this.#phase === 'asked')
        this.#phase = result === undefined ? 'none' : this.#early ? 'ready' : 'answered';
    } else if (sent.at === this.#first) this.#served = true;
    if (result === undefined) return this.#error(sent, message.error, revision);
    let bad = this.#meta(result, revision);
    if (method === 'resources/unsubscribe' && (this.#subscribed.get(params?.uri) ?? at) < sent.at)
      this.#subscribed.delete(params.uri);
    if (method === 'server/discover' && stateless)
      bad ||=
        Array.isArray(result.supportedVersions) &&
        !result.supportedVersions.includes(sent.revision);
    const given = this.#cursors.get(text([side, method, params?.cursor]));
    if (stateless && given && typeof result.cacheScope === 'string')
      bad ||= given !== result.cacheScope;
    if (typeof result.nextCursor === 'string') {
      bad ||= result.nextCursor === params?.cursor;
      this.#cursors.set(text([side, method, result.nextCursor]), result.cacheScope);
    }
    if (method === 'logging/setLevel') this.#level = Math.max(0, LEVELS.indexOf(params?.level));
    if (method === 'tools/list') bad = this.#list(sent, result, revision) || bad;
    if (method === 'completion/complete')
      bad ||= !stateless && list(result.completion?.values).length > 100;
    if (method === 'subscriptions/listen') bad ||= !this.#acknowledged.has(text(id));
    if (method === 'tools/call') bad ||= list(result.content).some(badBlock);
    if (method === 'prompts/get')
      bad ||= list(result.messages).some((each) => badBlock(each?.content));
    if (method === 'resources/read')
      bad ||= list(result.contents).some((each) => !isBase64(each?.blob));
    if (method === 'resources/list')
      bad ||= list(result.resources).some(
        (each) =>
          typeof each?.uri === 'string' && !/^[a-z][a-z0-9+.-]*:[^\s"<>\\^`{|}]*$/i.test(each.uri),
      );
    if (this.#questions.has(text(['direct', side, id])) && result.task?.taskId === undefined)
      bad = this.#reply(text(['direct', side, id]), result) || bad;
    if (stateless && result.resultType === 'input_required' && NEXT.includes(method))
      bad = this.#round(sent, result) || bad;
    if (ext && method === 'tasks/get') bad = this.#extTask(side, result) || bad;
    if (core) bad = this.#coreAnswer(sent, result, at) || bad;
    const isTask =
      (core && typeof result.task?.taskId === 'string') || result.resultType === 'task';
    if (isTask) {
      const state = result.resultType === 'task' ? result : result.task;
      const key = text([side, state.taskId]);
      if (method === 'tools/call') this.#taskTools.set(key, params?.name);
      if ((core || ext) && method === 'tools/call') bad = this.#creation(side, state) || bad;
    } else if (method === 'tools/call' && [undefined, 'complete'].includes(result.resultType))
      bad = this.#structured(params?.name, result, revision) || bad;
    return bad;
  }

  #error({ method, revision: asked }: Sent, error: Json, revision: string): boolean {
    void method;
    for (const each of list(error?.data?.elicitations)) this.#elicitations.add(each?.elicitationId);
    const { code, data } = error ?? {};
    if (revision !== '2026-07-28' || typeof code !== 'number') return false;
    if (code === -32022)
      return (
        list(data?.supported).includes(asked) ||
        (typeof data?.requested === 'string' && data.requested !== asked)
      );
    const isFine = [-32700, -32600, -32601, -32602, -32603, -32020, -32021].includes(code);
    return code >= -32768 && code <= -32000 && !isFine;
  }

  #meta(part: Json, revision: string): boolean {
    const meta = part?._meta;
    if (!meta || typeof meta !== 'object' || Array.isArray(meta) || revision < '2025-06-18')
      return false;
    const { traceparent } = meta;
    const isTrace = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(traceparent);
    if (revision === '2026-07-28' && typeof traceparent === 'string' && !isTrace) return true;
    return Object.keys(meta).some(badKey);
  }

  #log(params: Json, stateless: boolean): boolean {
    const level = LEVELS.indexOf(params?.level);
    if (level < 0 || (stateless && params?._meta?.[`${META}subscriptionId`] !== undefined))
      return false;
    if (!stateless) return level < this.#level;
    const asked = [...this.#open.values()].map(({ params: each }) =>
      LEVELS.indexOf(each?._meta?.[`${META}logLevel`]),
    );
    return !asked.some((each) => each >= 0 && each <= level);
  }

  #list({ params }: Sent, result: Json, revision: string): boolean {
    const tools = list(result.tools);
    const names = tools.map((tool) => (typeof tool?.name === 'string' ? tool.name : ''));
    for (const tool of tools) if (typeof tool?.name === 'string') this.#tools.set(tool.name, tool);
    let bad = new Set(names).size < names.length;
    if (revision >= '2025-11-25') bad ||= names.some((name) => !/^[\w.-]{1,128}$/.test(name));
    if (
      revision !== '2026-07-28' ||
      params?.cursor !== undefined ||
      result.nextCursor !== undefined
    )
      return bad;
    const isSame = text(names) === text(this.#order);
    bad ||= !isSame && text(names.toSorted()) === text(this.#order.toSorted());
    this.#order = names;
    return bad;
  }

  #structured(name: Json, result: Json, revision: string): boolean {
    const schema = this.#tools.get(name)?.outputSchema;
    if (revision < '2025-06-18' || typeof schema !== 'object' || result?.isError === true)
      return false;
    if (typeof result !== 'object' || result === null) return false;
    return result.structuredContent === undefined || !fits(schema, result.structuredContent);
  }

  #print({ method, params }: Sent): string {
    return same([method, params?.name ?? params?.uri, params?.arguments ?? null]);
  }

  #repeat(sent: Sent): boolean {
    const { params, id } = sent;
    if (params?.inputResponses === undefined && params?.requestState === undefined) return false;
    const print = this.#print(sent);
    const known = this.#rounds.filter((round) => round.print === print);
    if (known.length === 0) return false;
    const state = params.requestState === undefined ? undefined : same(params.requestState);
    const matching = known.filter((round) => round.state === state);
    const isWaiting = [...this.#open.values()].some(
      (each) => each.id !== id && this.#print(each) === print,
    );
    if (matching.length === 0) return !isWaiting;
    let bad = matching.every((round) => round.id === id);
    bad ||= !matching.some(({ names }) =>
      names.every((name) => params.inputResponses?.[name] !== undefined),
    );
    for (const [name, reply] of entries(params.inputResponses))
      bad = this.#reply(text(['round', print, state, name]), reply) || bad;
    return bad;
  }

  #round(sent: Sent, result: Json): boolean {
    const print = this.#print(sent);
    const state = result.requestState === undefined ? undefined : same(result.requestState);
    const asked = entries(result.inputRequests);
    this.#rounds.push({ print, state, names: asked.map(([name]) => name), id: sent.id });
    return asked.some(([name, { method, params }]) =>
      this.#ask(text(['round', print, state, name]), method, params),
    );
  }

  #ask(key: string, method: Json, params: Json): boolean {
    this.#questions.set(key, { method, params });
    if (method === 'elicitation/create')
      return params?.mode === 'url' && typeof params.url === 'string' && !URL.canParse(params.url);
    if (method !== 'sampling/createMessage') return false;
    const blocks = (message: Json): Json[] => [message?.content].flat();
    return list(params?.messages).some((message, index, all) => {
      const results = blocks(message).filter((each) => each?.type === 'tool_result');
      if (results.length > 0 && results.length < blocks(message).length) return true;
      const used = blocks(message).flatMap((each) => (each?.type === 'tool_use' ? each.id : []));
      const after = blocks(all[index + 1]).flatMap((each) =>
        each?.type === 'tool_result' ? each.toolUseId : [],
      );
      if (used.length === 0) return false;
      return (
        all[index + 1]?.role !== 'user' ||
        text([...new Set(used)].toSorted()) !== text([...new Set(after)].toSorted())
      );
    });
  }

  #reply(key: string, reply: Json): boolean {
    const { method, params } = this.#questions.get(key) ?? {};
    if (method === 'roots/list')
      return list(reply?.roots).some(
        (root) => typeof root?.uri === 'string' && !/^file:\/\//i.test(root.uri),
      );
    if (method === 'elicitation/create')
      return (
        params?.mode !== 'url' &&
        reply?.action === 'accept' &&
        !fits(params?.requestedSchema, reply.content ?? {})
      );
    if (method !== 'sampling/createMessage') return false;
    const uses = [reply?.content].flat().some((each) => each?.type === 'tool_use');
    const mode = params?.toolChoice?.mode;
    const isFirst = !text(params?.messages ?? null).includes('"tool_result"');
    return mode === 'none'
      ? uses
      : mode === 'required' && isFirst && !uses && reply?.stopReason === 'endTurn';
  }

  #creation(owner: Side, state: Json): boolean {
    const time = Date.parse(state?.createdAt);
    const key = text([owner, state?.taskId]);
    if (Number.isNaN(time) || typeof state?.taskId !== 'string') return false;
    if (!this.#created.has(key)) this.#created.set(key, time);
    return this.#created.get(key) !== time;
  }

  #outcome(owner: Side, taskId: Json, result: Json): boolean {
    if (
      typeof taskId !== 'string' ||
      !result ||
      typeof result !== 'object' ||
      Array.isArray(result)
    )
      return false;
    const key = text([owner, taskId]);
    const found = same({ ...result, _meta: undefined });
    if (!this.#results.has(key)) this.#results.set(key, found);
    return this.#results.get(key) !== found;
  }

  #extTask(owner: Side, state: Json): boolean {
    let bad = this.#creation(owner, state);
    bad = this.#outcome(owner, state?.taskId, state?.result) || bad;
    for (const [name, question] of entries(state?.inputRequests))
      bad =
        this.#ask(text(['task', owner, state.taskId, name]), question?.method, question?.params) ||
        bad;
    if (state?.status !== 'completed') return bad;
    return (
      this.#structured(
        this.#taskTools.get(text([owner, state.taskId])),
        state.result,
        '2026-07-28',
      ) || bad
    );
  }

  #coreAnswer({ side, method, params, at: asked }: Sent, result: Json, at: number): boolean {
    const key = text([side, params?.taskId]);
    if (method === 'tasks/result') {
      const bad = this.#structured(this.#taskTools.get(key), result, '2025-11-25');
      return this.#outcome(side, params?.taskId, result) || bad;
    }
    if (method === 'tasks/list') {
      const bad = list(result.tasks)
        .map((each) => this.#creation(side, each))
        .includes(true);
      if (params?.cursor === undefined) this.#walk = { from: asked, ids: [] };
      else if (params.cursor !== this.#walk?.next) this.#walk = undefined;
      if (!this.#walk || side !== 'client') return bad;
      this.#walk.ids.push(...list(result.tasks).map((each) => each?.taskId));
      this.#walk.next = result.nextCursor;
      if (typeof result.nextCursor !== 'string') this.#walked = { ...this.#walk, to: at };
      return bad;
    }
    if (method !== 'tasks/get' && method !== 'tasks/cancel') return false;
    const bad = this.#creation(side, result);
    if (method !== 'tasks/get' || side !== 'client' || typeof params?.taskId !== 'string')
      return bad;
    const first = this.#gets.get(key);
    if (first === undefined) this.#gets.set(key, at);
    const { from = -1, to = Infinity, ids = [] } = this.#walked ?? {};
    return (
      bad || (first !== undefined && first < from && asked > to && !ids.includes(params.taskId))
    );
  }

  /** Notes that a request was sent, for cancellations. */
  note({ side, method, id }: Sent): void {
    this.#all.set(text([side, id]), method);
  }
}
