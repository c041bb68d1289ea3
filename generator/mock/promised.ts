import { type ProtocolError, rpcError } from '../../runtime/peer/index.js';
import { ERROR_CODES, METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { isObject, member } from '../../runtime/peer/wire/json.js';
import { acceptedValues, valueCheck } from '../contracts/lock/compat/index.js';
import { nearest } from '../../json-schema/nearest.js';
import { quote } from '../../json-schema/text.js';
import type { Lock, Sent } from '../contracts/lock/index.js';
import { fingerprint } from '../validate/index.js';
import { instanceOf, NoInstance } from './instance.js';
import { Random } from './random.js';
import type { RecordedRequest } from './request-key.js';

/** Attempts to make a value that a schema accepts. */
const ATTEMPTS = 50;

const ANSWERED: ReadonlySet<string> = new Set([
  METHODS.toolsList,
  METHODS.promptsList,
  METHODS.resourcesList,
  METHODS.resourcesTemplatesList,
  METHODS.toolsCall,
  METHODS.promptsGet,
  METHODS.resourcesRead,
  METHODS.completionComplete,
]);

/** What answers requests from a lock: its lists, and results that its schemas accept. */
export class Promised {
  readonly lock: Lock;
  readonly #seed: number;

  constructor(lock: Lock, seed: number) {
    this.lock = lock;
    this.#seed = seed;
  }

  answers(method: string): boolean {
    return ANSWERED.has(method);
  }

  /** For a method that it answers. Rejects as a server would. */
  answer(asked: RecordedRequest): JsonObject {
    const { tools, prompts, resources, resourceTemplates } = this.lock;
    switch (asked.method) {
      case METHODS.toolsList:
        return { tools };
      case METHODS.promptsList:
        return { prompts };
      case METHODS.resourcesList:
        return { resources };
      case METHODS.resourcesTemplatesList:
        return { resourceTemplates };
      case METHODS.toolsCall:
        return this.#call(asked.params);
      case METHODS.promptsGet:
        return this.#prompt(asked.params);
      case METHODS.resourcesRead:
        return this.#resource(asked.params);
      default:
        return { completion: { values: [] } };
    }
  }

  /** Whether a request calls a tool that may run as a task. */
  runsAsTask({ method, params }: RecordedRequest): boolean {
    if (method !== METHODS.toolsCall) return false;
    const tool = this.lock.tools.find((each) => each['name'] === params['name']);
    return ['optional', 'required'].includes(String(member(tool?.['execution'], 'taskSupport')));
  }

  #call(params: JsonObject): JsonObject {
    const tool = named(this.lock.tools, params['name'], 'tool');
    const args = params['arguments'] ?? {};
    const problem = problemsBy(tool['inputSchema'])(args);
    if (problem !== undefined) {
      const text = `Invalid arguments for tool ${String(params['name'])}: ${problem}`;
      return { content: [{ type: 'text', text }], isError: true };
    }
    const schema = tool['outputSchema'];
    if (!isObject(schema)) {
      const text = `This is a generated result of the tool ${String(params['name'])}.`;
      return { content: [{ type: 'text', text }] };
    }
    const structuredContent = this.#instance(schema, params);
    const text = JSON.stringify(structuredContent);
    return { content: [{ type: 'text', text }], structuredContent };
  }

  /** The same for the same seed, tool and arguments. */
  #instance(schema: JsonObject, params: JsonObject): unknown {
    const { name, arguments: args } = params;
    const seed = fingerprint([this.#seed, name, args]);
    const problemOf = problemsBy(schema);
    let problem = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      try {
        const value = instanceOf(schema, new Random(seed + attempt));
        const found = problemOf(value);
        if (found === undefined) return value;
        problem = found;
      } catch (error) {
        if (!(error instanceof NoInstance)) throw error;
        problem = error.message;
      }
    }
    // Slower, and of fewer different values, but it follows every keyword.
    const value = new Random(seed).pick(acceptedValues(schema as Sent));
    if (value !== undefined) return value;
    const what = `No result could be generated from the outputSchema of the tool ${quote(String(name))}: ${problem}`;
    throw rpcError(ERROR_CODES.InternalError, what);
  }

  #prompt(params: JsonObject): JsonObject {
    const prompt = named(this.lock.prompts, params['name'], 'prompt');
    const args = isObject(params['arguments']) ? params['arguments'] : {};
    const declared: readonly unknown[] = Array.isArray(prompt['arguments'])
      ? prompt['arguments']
      : [];
    const missing = declared
      .filter((each) => member(each, 'required') === true)
      .map((each) => String(member(each, 'name')))
      .filter((name) => !Object.hasOwn(args, name));
    if (missing.length > 0) {
      throw rpcError(ERROR_CODES.InvalidParams, `Missing arguments: ${missing.join(', ')}`);
    }
    const text = `This is a generated message of the prompt ${String(params['name'])}.`;
    return { messages: [{ role: 'user', content: { type: 'text', text } }] };
  }

  #resource({ uri }: JsonObject): JsonObject {
    const resource = this.lock.resources.find((each) => each['uri'] === uri);
    if (resource === undefined && this.lock.resourceTemplates.length === 0) {
      throw rpcError(ERROR_CODES.InvalidParams, `Resource not found: ${quote(String(uri))}`);
    }
    const text = `This is a generated content of ${String(uri)}.`;
    const mimeType = resource?.['mimeType'] ?? 'text/plain';
    return { contents: [{ uri, mimeType, text }] };
  }
}

function named(entries: readonly Sent[], name: unknown, kind: string): Sent {
  const found = entries.find((each) => each['name'] === name);
  if (found === undefined) throw unknownName(entries, name, kind);
  return found;
}

function unknownName(entries: readonly Sent[], name: unknown, kind: string): ProtocolError {
  const similar = nearest(
    String(name),
    entries.map(({ name: each }) => (typeof each === 'string' ? each : '')),
  );
  const hint = similar === undefined ? '' : ` Did you mean ${quote(similar)}?`;
  return rpcError(ERROR_CODES.InvalidParams, `Unknown ${kind}: ${quote(String(name))}.${hint}`);
}

/** What is wrong with a value; undefined for a valid one, and for a schema that cannot be checked. */
function problemsBy(schema: unknown): (value: unknown) => string | undefined {
  const check = isObject(schema) ? valueCheck(schema as Sent) : '';
  if (typeof check === 'string') return () => undefined;
  return (value) => {
    const refusal = check(value);
    return refusal && `${refusal.pointer === '' ? 'it' : quote(refusal.pointer)} ${refusal.reason}`;
  };
}
