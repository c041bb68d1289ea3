import type { Dialect, JsonObject } from '../../runtime/tasks/index.js';
import type { Message } from '../server/support.js';
import type { Spoil } from './issuer.js';
import type { LoginWay } from './oauth.js';
import { OVER, type Over, type Play, type Script } from './play.js';

/** One way in which a server is wrong. */
export interface Way {
  readonly id: string;
  /** Default: each transport. */
  readonly over?: readonly Over[];
  readonly dialects?: readonly Dialect[];
  /** What it does instead of a right answer, at each method of `at` a case. */
  readonly wrong?: Play;
  /** What it does in one case, instead of `wrong`. */
  readonly script?: () => Script;
  /** Default: `initialize`, `tools/list`, `tools/call`. */
  readonly at?: readonly string[];
  /** What the client has to say; `result` where a right answer comes all the same. */
  readonly says: RegExp | 'result';
  /** A client may also take it: what is wrong can be understood. */
  readonly orTakes?: boolean;
  /** The command that meets the fault. Default: `list` for one in a list, else `call`. */
  readonly does?: Does;
}

/** `listed`: lists the tools, then calls one. `task`: calls one that makes a task, and follows it. */
export type Does = 'list' | 'call' | 'listed' | 'task' | 'login';

/** A way over one transport, in one dialect, at one method. */
export interface Case extends Pick<Way, 'says' | 'orTakes'> {
  readonly way: string;
  readonly name: string;
  readonly over: Over;
  readonly dialect: Dialect;
  readonly does: Does;
  readonly script: () => Script;
  /** Of a login: what is wrong with the authorization server. */
  readonly spoil?: Spoil;
}

const HANDSHAKE = { core: 'initialize', ext: 'server/discover' } as const;
const AT: readonly string[] = ['initialize', 'tools/list', 'tools/call'];

/** All cases of a way: transport × dialect × method. */
export function casesOf(way: Way): Case[] {
  const {
    id,
    over = OVER,
    dialects = ['core', 'ext'],
    wrong,
    script,
    at = AT,
    does,
    ...rest
  } = way;
  return over.flatMap((each) =>
    dialects
      .filter((dialect) => !(each === 'old' && dialect === 'ext'))
      .flatMap((dialect) => {
        const shared = {
          way: id,
          over: each,
          dialect,
          says: rest.says,
          orTakes: rest.orTakes === true,
        };
        if (script !== undefined) {
          return [{ ...shared, name: `${id}, ${each}, ${dialect}`, does: does ?? 'call', script }];
        }
        return at.map((method) => ({
          ...shared,
          name: `${id}, ${each}, ${dialect}, ${method}`,
          does: does ?? (method === 'tools/list' ? 'list' : 'call'),
          script: () =>
            wrong === undefined
              ? {}
              : { [method === 'initialize' ? HANDSHAKE[dialect] : method]: wrong },
        }));
      }),
  );
}

export const loginCase = ({ id, ...rest }: LoginWay): Case => ({
  ...{ way: `logs in by ${id}`, name: `logs in by ${id}`, over: 'json', dialect: 'core' },
  ...{ does: 'login', script: () => ({}) },
  ...rest,
});

/** What a client says that has waited. */
export const LATE = /did not answer|timed? ?out|longer than/i;

export const DONE: JsonObject = { content: [{ type: 'text', text: 'done' }] };
export const TOOL: JsonObject = { name: 'work', inputSchema: { type: 'object' } };

/** The right answers of a server with one tool. */
export function right(dialect: Dialect, over: Over): (request: Message) => JsonObject | undefined {
  const isExt = dialect === 'ext';
  const kept = isExt ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
  const capabilities = { tools: {} };
  const serverInfo = { name: 'broken', version: '1' };
  const results: Record<string, JsonObject | undefined> = {
    'tools/list': { ...kept, tools: [TOOL] },
    'tools/call': { ...(isExt && { resultType: 'complete' }), ...DONE },
    ...(isExt
      ? { 'server/discover': { ...kept, supportedVersions: ['2026-07-28'], capabilities } }
      : { ping: {}, initialize: { protocolVersion: '', capabilities, serverInfo } }),
  };
  return ({ id, method = '', params }) => {
    const result = results[method];
    if (result === undefined) return { jsonrpc: '2.0', id, error: UNKNOWN };
    const asked = over === 'old' ? '2024-11-05' : params?.['protocolVersion'];
    const protocolVersion = method === 'initialize' && { protocolVersion: asked };
    return { jsonrpc: '2.0', id, result: { ...result, ...protocolVersion } };
  };
}

const UNKNOWN = { code: -32601, message: 'Method not found' };

/** Answers with another value or text than the right one. */
export const instead =
  (change: (answer: JsonObject) => unknown): Play =>
  (line, { answer }) =>
    line.say(change(answer));

/** Answers with another result. */
export const withResult = (change: (result: JsonObject) => unknown): Play =>
  instead((answer) => ({ ...answer, result: change(answer['result'] as JsonObject) }));
