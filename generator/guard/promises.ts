import { isDeepStrictEqual } from 'node:util';
import { jsonPointer, quote } from '../diagnostics/index.js';
import type { Lock, Sent } from '../lock/index.js';
import { at, isRecord, textAt } from '../validate/index.js';
import type { OpenCall, ToolResult } from './calls.js';
import { schemaCheck } from './contracts.js';
import type { SchemaCheck } from './contracts.js';
import type { LockBreach } from './finding.js';

/** What is listed by which method. */
const LISTED = { 'tools/list': 'tools', 'prompts/list': 'prompts' } as const;
/** What another revision adds to a tool or takes away. */
const OF_REVISION: readonly string[] = ['execution', 'outputSchema', '_meta'];
const HANDSHAKES: readonly string[] = ['initialize', 'server/discover'];

type List = (typeof LISTED)[keyof typeof LISTED];

/** Compares the messages of one session with a lock. */
export class Promises {
  readonly #lock: Lock;
  readonly #checks = new Map<string, SchemaCheck | string>();
  readonly #noted = new Set<string>();
  /** Tools and prompts whose definitions in this session are not those of the lock. */
  readonly #changed = new Set<string>();

  constructor(lock: Lock) {
    this.#lock = lock;
  }

  /** The breaches of a request of the client. */
  async request(message: unknown): Promise<LockBreach[]> {
    const method = textAt(message, 'method');
    const name = textAt(message, 'params', 'name');
    if (name === undefined) return [];
    if (method === 'prompts/get') return this.#named('prompts', name);
    if (method !== 'tools/call') return [];
    const breaches = this.#named('tools', name);
    const schema = this.#entry('tools', name)?.['inputSchema'];
    if (breaches.length > 0 || !isRecord(schema)) return breaches;
    const args = at(message, 'params', 'arguments') ?? {};
    return await this.#checked(name, 'inputSchema', args, ['params', 'arguments']);
  }

  /** The breaches of an answer of the server. */
  async answer(
    message: unknown,
    call: OpenCall | undefined,
    result: ToolResult | undefined,
    revision: string | undefined,
  ): Promise<LockBreach[]> {
    const isSame = revision === this.#lock.revision;
    if (call && HANDSHAKES.includes(call.method)) return this.#handshake(message, revision);
    const list =
      call && Object.hasOwn(LISTED, call.method) ? LISTED[call.method as 'tools/list'] : undefined;
    if (list !== undefined) return this.#listed(list, message, isSame);
    return result && isSame ? await this.#result(result) : [];
  }

  /** The message without entries that breach the lock, and with the lock's instructions. */
  mended(message: unknown, call: OpenCall | undefined): unknown {
    const result = at(message, 'result');
    if (!isRecord(message) || !isRecord(result) || !call) return message;
    if (HANDSHAKES.includes(call.method)) {
      const { instructions } = this.#lock;
      const { instructions: _, ...others } = result;
      return {
        ...message,
        result: { ...others, ...(instructions !== undefined && { instructions }) },
      };
    }
    const list = LISTED[call.method as 'tools/list'];
    const entries = result[list];
    if (!Array.isArray(entries)) return message;
    const kept = entries.filter(
      (entry) => this.#named(list, textAt(entry, 'name') ?? '').length === 0,
    );
    return { ...message, result: { ...result, [list]: kept } };
  }

  #entry(list: List, name: string): Sent | undefined {
    return this.#lock[list].find((entry) => entry['name'] === name);
  }

  #named(list: List, name: string): LockBreach[] {
    const what = `The ${list.slice(0, -1)} ${quote(name)}`;
    const pointer = '/params/name';
    if (!this.#entry(list, name)) {
      return [{ code: 'not-in-lock', message: `${what} is not in the lock.`, pointer }];
    }
    if (!this.#changed.has(`${list} ${name}`)) return [];
    const message = `${what} has another definition than in the lock.`;
    return [{ code: 'differs-from-lock', message, pointer }];
  }

  #listed(list: List, message: unknown, isSame: boolean): LockBreach[] {
    const entries = at(message, 'result', list);
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((entry: unknown, index) => {
      const name = textAt(entry, 'name');
      if (name === undefined) return [];
      const promised = this.#entry(list, name);
      const key = `${list} ${name}`;
      const differing = promised ? differences(promised, entry, isSame ? [] : OF_REVISION) : [];
      if (differing.length > 0) this.#changed.add(key);
      else this.#changed.delete(key);
      const [breach] = this.#named(list, name);
      const pointer = jsonPointer(['result', list, index]);
      if (!breach) return [];
      const where =
        differing.length > 0 ? ` It differs in ${differing.map(quote).join(', ')}.` : '';
      return [{ ...breach, message: breach.message + where, pointer }];
    });
  }

  #handshake(message: unknown, revision: string | undefined): LockBreach[] {
    const { instructions, revision: promised } = this.#lock;
    const breaches: LockBreach[] = [];
    if (revision !== undefined && revision !== promised && this.#isFirst('revision')) {
      breaches.push({
        code: 'other-revision',
        message: `The session speaks ${revision}, and the lock is of ${promised}: results are not checked by the lock.`,
      });
    }
    const result = at(message, 'result');
    if (isRecord(result) && result['instructions'] !== instructions) {
      const pointer = '/result/instructions';
      const what = 'The instructions of the server are not those of the lock.';
      breaches.push({ code: 'differs-from-lock', message: what, pointer });
    }
    return breaches;
  }

  async #result({ tool, result, path }: ToolResult): Promise<LockBreach[]> {
    const schema = this.#entry('tools', tool)?.['outputSchema'];
    if (!isRecord(schema) || at(result, 'isError') === true) return [];
    const content = at(result, 'structuredContent');
    const place = [...path, 'structuredContent'];
    if (content === undefined) {
      const message = `The result of ${quote(tool)} has no structuredContent, which the lock promises.`;
      return [{ code: 'bad-result', message, pointer: jsonPointer(place) }];
    }
    return await this.#checked(tool, 'outputSchema', content, place);
  }

  async #checked(
    tool: string,
    kind: 'inputSchema' | 'outputSchema',
    value: unknown,
    place: readonly string[],
  ): Promise<LockBreach[]> {
    const key = `${kind} ${tool}`;
    const check =
      this.#checks.get(key) ?? schemaCheck((this.#entry('tools', tool)?.[kind] ?? {}) as Sent);
    this.#checks.set(key, check);
    if (typeof check === 'string') {
      if (!this.#isFirst(key)) return [];
      const message = `The ${kind} of ${quote(tool)} in the lock is not checked: ${check}.`;
      return [{ code: 'unchecked-schema', message }];
    }
    const violation = await check(value);
    if (!violation) return [];
    const [what, does] = kind === 'inputSchema' ? ['arguments for', 'do'] : ['result of', 'does'];
    return [
      {
        code: kind === 'inputSchema' ? 'bad-arguments' : 'bad-result',
        message: `The ${what} ${quote(tool)} ${does} not match the ${kind} of the lock: ${violation.message}`,
        pointer: jsonPointer([...place, ...violation.path]),
      },
    ];
  }

  /** Whether something is noted for the first time. */
  #isFirst(key: string): boolean {
    const isFirst = !this.#noted.has(key);
    this.#noted.add(key);
    return isFirst;
  }
}

/** The keys in which an entry differs from its promise. */
function differences(promised: Sent, entry: unknown, without: readonly string[]): string[] {
  const sent = isRecord(entry) ? entry : {};
  const keys = new Set([...Object.keys(promised), ...Object.keys(sent)]);
  return [...keys].filter(
    (key) => !without.includes(key) && !isDeepStrictEqual(at(promised, key), at(sent, key)),
  );
}
