import {
  at,
  BoundedMap,
  entriesAt,
  isId,
  isRecord,
  SessionTable,
  textAt,
} from '../validate/index.js';
import { quote } from '../../json-schema/text.js';
import type { Party } from '../validate/index.js';
import { Calls } from './calls.js';

type Message = Readonly<Record<string, unknown>>;
export type Schema = Readonly<Record<string, unknown>>;

/** A part of a message, and the schema that it belongs to. */
export interface Part {
  readonly path: readonly string[];
  /** Undefined where the tool has not been listed yet. */
  readonly schema: Schema | undefined;
  /** Whose schema it is, for a reader. */
  readonly owner: string;
}

const MOST = { entries: 5_000, characters: 8_000_000 };
const SESSIONS = { sessions: 1_000, bytes: 1_000, bytesOfEach: 1 };
const FORM = 'elicitation/create';

/** The schemas of tools and questions that a recording has seen, and the values that belong to them. */
export class SeenSchemas {
  readonly #calls = new SessionTable(SESSIONS, () => new Calls());
  /** By direction and tool. */
  readonly #tools = new BoundedMap<Schema>(MOST);
  /** By session and id, or by session and the key of the question in a result. */
  readonly #questions = new BoundedMap<Schema>(MOST);

  /** The parts of a message that have a schema. Notes the schemas and requests in it. */
  partsOf(from: Party, session: number, message: unknown): Part[] {
    if (Array.isArray(message)) {
      return message.flatMap((each: unknown, index) =>
        this.partsOf(from, session, each).map((part) => ({
          ...part,
          path: [String(index), ...part.path],
        })),
      );
    }
    if (!isRecord(message)) return [];
    const calls = this.#calls.of(String(session), 1);
    return from === 'client'
      ? this.#asked(message, session, calls)
      : this.#answered(message, session, calls);
  }

  #asked(message: Message, session: number, calls: Calls): Part[] {
    calls.asked(message);
    const { id, method } = message;
    if (method === undefined) {
      return ofQuestion(this.#questions.get(keyOf(session, 'id', id)), ['result', 'content']);
    }
    const tool = method === 'tools/call' ? textAt(message, 'params', 'name') : undefined;
    return [
      ...(tool === undefined ? [] : this.#ofTool('input', tool, ['params', 'arguments'])),
      ...entriesAt(message, 'params', 'inputResponses').flatMap(([key]) =>
        ofQuestion(this.#questions.get(keyOf(session, 'key', key)), [
          ...['params', 'inputResponses', key, 'content'],
        ]),
      ),
    ];
  }

  #answered(message: Message, session: number, calls: Calls): Part[] {
    const { id, method } = message;
    if (method === FORM) this.#note(keyOf(session, 'id', id), message);
    for (const holder of ['result', 'params']) {
      for (const [key, question] of entriesAt(message, holder, 'inputRequests')) {
        this.#note(keyOf(session, 'key', key), question);
      }
    }
    const call = calls.answered(message);
    if (call?.method === 'tools/list') this.#list(at(message, 'result', 'tools'));
    const found = calls.resultIn(message, call);
    if (found?.tool === undefined) return [];
    const { tool, path } = found;
    return this.#ofTool('output', tool, [...path, 'structuredContent']);
  }

  #ofTool(side: 'input' | 'output', tool: string, path: readonly string[]): Part[] {
    const schema = this.#tools.get(`${side} ${tool}`);
    const isListed = this.#tools.get(`input ${tool}`) !== undefined;
    return schema === undefined && isListed
      ? []
      : [{ schema, path, owner: `the tool ${quote(tool)}` }];
  }

  #note(key: string, question: unknown): void {
    const schema = at(question, 'params', 'requestedSchema');
    if (isRecord(schema)) this.#questions.set(key, schema, [JSON.stringify(schema)]);
  }

  #list(tools: unknown): void {
    for (const tool of Array.isArray(tools) ? (tools as readonly unknown[]) : []) {
      const name = textAt(tool, 'name');
      for (const side of ['input', 'output']) {
        const schema = at(tool, `${side}Schema`);
        const key = `${side} ${name ?? ''}`;
        if (isRecord(schema)) this.#tools.set(key, schema, [JSON.stringify(schema)]);
        else this.#tools.delete(key);
      }
    }
  }
}

function ofQuestion(schema: Schema | undefined, path: readonly string[]): Part[] {
  return schema === undefined ? [] : [{ schema, path, owner: 'a question' }];
}

function keyOf(session: number, kind: 'id' | 'key', id: unknown): string {
  return `${String(session)} ${kind} ${isId(id) ? JSON.stringify(id) : ''}`;
}
