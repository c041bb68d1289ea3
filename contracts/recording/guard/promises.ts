import { valueCheck } from '../../lock/compat/index.js';
import type { ValueCheck } from '../../lock/compat/index.js';
import { jsonPointer } from '../../../json-schema/pointer.js';
import { quote } from '../../../json-schema/text.js';
import { changeAsLine, compareInstructions } from '../../lock/index.js';
import type { Lock, Sent } from '../../lock/index.js';
import { EXTENSION_ID, META_KEYS } from '../../../runtime/protocol.js';
import { HANDSHAKES } from '../../../runtime/rules/messages.js';
import { at, isRecord, textAt } from '../../validate/index.js';
import type { OpenCall, ToolResult } from '../index.js';
import { Definitions, listOf } from './definitions.js';
import type { LockBreach } from './finding.js';

interface Compiled {
  readonly schema: Sent;
  /** A text says why the schema is not checked. */
  readonly check: ValueCheck | string;
}

/** Compares the messages of one session with a lock. */
export class Promises {
  readonly #lock: Lock;
  readonly #definitions: Definitions;
  readonly #checks = new Map<string, Compiled>();
  readonly #noted = new Set<string>();
  /** Says which capabilities the client of the session declares beyond those of the lock; empty for none. */
  #beyond = '';

  constructor(lock: Lock) {
    this.#lock = lock;
    this.#definitions = new Definitions(lock);
  }

  /** The breaches of a request of the client. */
  request(message: unknown): LockBreach[] {
    const method = textAt(message, 'method');
    const declared =
      at(message, 'params', '_meta', META_KEYS.clientCapabilities) ??
      (method === 'initialize' ? at(message, 'params', 'capabilities') : undefined);
    if (declared !== undefined) this.#beyond = beyond(declared, this.#lock);
    return this.#asked(message, method).map((breach) => this.#explained(breach));
  }

  #asked(message: unknown, method: string | undefined): LockBreach[] {
    const name = textAt(message, 'params', 'name');
    if (name === undefined) return [];
    if (method === 'prompts/get') return this.#definitions.named('prompts', name);
    if (method !== 'tools/call') return [];
    const breaches = this.#definitions.named('tools', name);
    const schema = this.#definitions.inputSchema(name);
    if (breaches.length > 0 || !isRecord(schema)) return breaches;
    const args = at(message, 'params', 'arguments') ?? {};
    const place = ['params', 'arguments'];
    return this.#checked(name, 'inputSchema', schema as Sent, args, place);
  }

  /** The breaches of an answer of the server. */
  answer(
    message: unknown,
    call: OpenCall | undefined,
    result: ToolResult | undefined,
    revision: string | undefined,
  ): LockBreach[] {
    if (call && HANDSHAKES.has(call.method)) return this.#handshake(message, revision);
    const list = listOf(call?.method);
    if (list !== undefined) {
      const breaches = this.#definitions.listed(list, message, revision);
      return breaches.map((breach) => this.#explained(breach));
    }
    return result ? this.#result(result) : [];
  }

  /** The schema of a tool's arguments. */
  inputSchema(tool: string): unknown {
    return this.#definitions.inputSchema(tool);
  }

  /** The message without entries that breach the lock, and with the lock's instructions. */
  mended(message: unknown, call: OpenCall | undefined): unknown {
    const result = at(message, 'result');
    if (!isRecord(message) || !isRecord(result) || !call) return message;
    if (HANDSHAKES.has(call.method)) {
      const { instructions } = this.#lock;
      const { instructions: _, ...others } = result;
      return {
        ...message,
        result: { ...others, ...(instructions !== undefined && { instructions }) },
      };
    }
    const list = listOf(call.method);
    const entries = list && result[list];
    if (!Array.isArray(entries)) return message;
    return { ...message, result: { ...result, [list as string]: this.#definitions.kept(entries) } };
  }

  /** A server may show more, or other definitions, to a client that declares more than that of the lock. */
  #explained(breach: LockBreach): LockBreach {
    const isOther = breach.code === 'not-in-lock' || breach.code === 'differs-from-lock';
    return isOther ? { ...breach, message: breach.message + this.#beyond } : breach;
  }

  #handshake(message: unknown, revision: string | undefined): LockBreach[] {
    const { instructions, revision: promised } = this.#lock;
    const breaches: LockBreach[] = [];
    if (revision !== undefined && revision !== promised && this.#isFirst('revision')) {
      breaches.push({
        code: 'other-revision',
        message: `The session speaks ${revision}, and the lock is of ${promised}, which holds here as well.`,
      });
    }
    const result = at(message, 'result');
    if (!isRecord(result)) return breaches;
    const changes = compareInstructions(instructions, textAt(result, 'instructions'));
    const found = changes.map((change): LockBreach => ({
      code: 'differs-from-lock',
      message: `The instructions of the server differ from the lock: ${changeAsLine(change)}.`,
      pointer: '/result/instructions',
      change: { verdict: change.verdict, rule: change.rule },
    }));
    return [...breaches, ...found];
  }

  #result({ tool, result, path }: ToolResult): LockBreach[] {
    if (tool === undefined) {
      const message = 'The result belongs to no call of a tool that is known.';
      return [{ code: 'unchecked', message, pointer: jsonPointer(path) }];
    }
    const schema = this.#definitions.promised('tools', tool)?.['outputSchema'];
    if (!isRecord(schema) || at(result, 'isError') === true) return [];
    const content = at(result, 'structuredContent');
    const place = [...path, 'structuredContent'];
    if (content === undefined) {
      const message = `The result of ${quote(tool)} has no structuredContent, which the lock promises.`;
      return [{ code: 'bad-result', message, pointer: jsonPointer(place) }];
    }
    return this.#checked(tool, 'outputSchema', schema, content, place);
  }

  #checked(
    tool: string,
    kind: 'inputSchema' | 'outputSchema',
    schema: Sent,
    value: unknown,
    place: readonly string[],
  ): LockBreach[] {
    const key = `${kind} ${tool}`;
    const known = this.#checks.get(key);
    const compiled = known?.schema === schema ? known : { schema, check: valueCheck(schema) };
    this.#checks.set(key, compiled);
    const { check } = compiled;
    if (typeof check === 'string') {
      const message = `The ${kind} of ${quote(tool)} in the lock is not checked: ${check}.`;
      return [{ code: 'unchecked-schema', message }];
    }
    const refusal = check(value);
    if (!refusal) return [];
    const at = refusal.pointer === '' ? 'it' : quote(refusal.pointer);
    const [what, does] = kind === 'inputSchema' ? ['arguments for', 'do'] : ['result of', 'does'];
    return [
      {
        code: kind === 'inputSchema' ? 'bad-arguments' : 'bad-result',
        message: `The ${what} ${quote(tool)} ${does} not match the ${kind} of the lock: ${at} ${refusal.reason}.`,
        pointer: jsonPointer(place) + refusal.pointer,
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

/** What the client of a lock declared that does not say it. */
const UNSAID = ['elicitation', 'elicitation.form', 'elicitation.url', 'extensions'];

function beyond(declared: unknown, { clientCapabilities: known }: Lock): string {
  const promised = known ? pathsIn(known) : [...UNSAID, `extensions.${EXTENSION_ID}`];
  const more = pathsIn(declared).filter((path) => !promised.includes(path));
  if (more.length === 0) return '';
  return (
    ` The client declares ${more.map(quote).join(', ')}, which the client of the lock did not, and a server may list more to it:` +
    ' write the lock again with --capabilities.'
  );
}

/** `sampling`, `sampling.tools`: what is declared, at two levels. */
function pathsIn(declared: unknown): string[] {
  return entriesOf(declared).flatMap(([key, value]) => [
    key,
    ...entriesOf(value).map(([inner]) => `${key}.${inner}`),
  ]);
}

const entriesOf = (value: unknown): [string, unknown][] =>
  isRecord(value) ? Object.entries(value) : [];
