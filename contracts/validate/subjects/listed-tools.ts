import { at, isRecord, textAt } from '../access.js';
import { BoundedMap } from '../bounded.js';
import { BOUNDS } from '../exchanges.js';
import type { ReadSchemas } from '../schemas.js';

/** The schemas of a tool, as JSON texts. */
interface Listed {
  readonly input: string | undefined;
  readonly output: string | undefined;
}

/** The schemas of the tools that the server listed last. */
export class ListedTools {
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
