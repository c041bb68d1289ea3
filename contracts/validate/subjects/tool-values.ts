import { quote } from '../../../json-schema/text.js';
import { at, type Path, isRecord, textAt } from '../access.js';
import { STRICT_SINCE } from '../codes/scopes.js';
import { createdTask, type OpenRequest, BOUNDS } from '../exchanges.js';
import { cut, type Breach } from '../finding.js';
import type { ReadSchemas } from '../schemas.js';
import {
  NOTHING,
  type AnsweredRequest,
  type Call,
  type Conversation,
  type Subject,
} from './subject.js';
import { BoundedMap } from '../bounded.js';

/** Arguments and results of calls, against the schemas that the server listed. */
export class ToolValues implements Subject {
  readonly #listed: ListedTools;

  constructor(
    readonly conversation: Conversation,
    schemas: ReadSchemas,
  ) {
    this.#listed = new ListedTools(schemas);
  }

  request({ method, params }: Call, { tool }: OpenRequest): readonly Breach[] {
    if (method === 'initialize') this.#listed.forget();
    if (tool === undefined) return NOTHING;
    const fault = this.#listed.faultOfArguments(tool, at(params, 'arguments'));
    if (fault === undefined) return NOTHING;
    const message = `The arguments do not match the input schema of the tool ${quote(cut(tool))}: ${cut(fault)}.`;
    return [{ code: 'wrong-arguments', message, key: ['params', 'arguments'] }];
  }

  notification({ method, params, from, dialect }: Call): readonly Breach[] {
    if (method === 'notifications/tools/list_changed') this.#listed.forget();
    if (method !== 'notifications/tasks' || from !== 'server' || dialect.tasks !== 'ext')
      return NOTHING;
    return this.#ofTask(params, 'client', 'params');
  }

  answer({ request, result, dialect }: AnsweredRequest): readonly Breach[] {
    const { method, sender } = request;
    if (method === 'tools/list') this.#listed.learn(result);
    if (dialect.revision < STRICT_SINCE || result === undefined) return NOTHING;
    if (method === 'tasks/get' && dialect.tasks === 'ext')
      return this.#ofTask(result, sender, 'result');
    if (method === 'tasks/result') {
      const tool = this.conversation.tasks.find(request.taskId, [sender])?.tool;
      return this.#check(tool, result, ['result']);
    }
    const type = at(result, 'resultType') ?? 'complete';
    if (type !== 'complete' || (dialect.tasks === 'core' && createdTask(result) !== undefined))
      return NOTHING;
    return this.#check(request.tool, result, ['result']);
  }

  /** The result in a completed task of the extension. */
  #ofTask(state: unknown, owner: OpenRequest['sender'], part: string): readonly Breach[] {
    if (at(state, 'status') !== 'completed') return NOTHING;
    const tool = this.conversation.tasks.find(at(state, 'taskId'), [owner])?.tool;
    return this.#check(tool, at(state, 'result'), [part, 'result']);
  }

  #check(tool: string | undefined, result: unknown, key: Path): readonly Breach[] {
    if (tool === undefined) return NOTHING;
    const fault = this.#listed.faultOfResult(tool, result);
    if (fault === undefined) return NOTHING;
    const message = `structuredContent does not match the output schema of the tool ${quote(cut(tool))}: ${cut(fault)}.`;
    return [{ code: 'wrong-structured-content', message, key: [...key, 'structuredContent'] }];
  }
}

/** The schemas of a tool, as JSON texts. */
interface Listed {
  readonly input: string | undefined;
  readonly output: string | undefined;
}

/** The schemas of the tools that the server listed last. */
class ListedTools {
  #tools = new BoundedMap<Listed>(BOUNDS);

  constructor(readonly schemas: ReadSchemas) {}

  learn(result: unknown): void {
    const tools = at(result, 'tools');
    if (!Array.isArray(tools)) return;
    for (const tool of tools as unknown[]) {
      const name = textAt(tool, 'name');
      if (name === undefined) continue;
      const input = this.schemas.textOf(at(tool, 'inputSchema'));
      const output = this.schemas.textOf(at(tool, 'outputSchema'));
      this.#tools.set(name, { input, output }, [input ?? '', output ?? '']);
    }
  }

  /** Forgets all, because the server announced another list. */
  forget(): void {
    this.#tools = new BoundedMap<Listed>(BOUNDS);
  }

  /** What is wrong with the arguments of a call; `undefined` also where the schema is not known. */
  faultOfArguments(tool: string, value: unknown): string | undefined {
    return this.schemas.faultOf(this.#tools.get(tool)?.input, value ?? {}, 'message');
  }

  /** As `faultOfArguments`, for the result of a call. */
  faultOfResult(tool: string, result: unknown): string | undefined {
    const output = this.#tools.get(tool)?.output;
    if (output === undefined || !isRecord(result) || result['isError'] === true) return undefined;
    const content = at(result, 'structuredContent');
    if (content === undefined) return 'it is missing';
    return this.schemas.faultOf(output, content, 'message');
  }
}
