import { fileURLToPath } from 'node:url';

import ts from 'typescript';
import { beforeAll, expect, it } from 'vitest';

import tsconfig from '../../tsconfig.paths.json' with { type: 'json' };

/** What an editor shows at these names. `|` marks the place, and is removed. */
const SOURCE = `
import { defineTool, jsonSchema } from '@mcp-codegen/runtime/server';
import * as z from 'zod';

export const weather = define|Tool({
  name: 'weather',
  description: 'Tells the weather.',
  input: z.object({ city: z.string(), days: z.int().default(1) }),
  output: z.array(z.string()),
  r|un: ({ arg|s, ta|sk }) => [args.city],
});

export const ask = defineTool({
  name: 'ask',
  description: 'Asks.',
  input: jsonSchema<{ city: string }>({ type: 'object' }),
  async run({ ar|gs, task }) {
    const ans|wer = await task.elicit({
      message: args.city,
      requestedSchema: {
        type: 'object',
        properties: { size: { type: 'string', enum: ['small', 'large'] }, count: { type: 'integer' } },
        required: ['size'],
      },
    });
    return answer.content?.size ?? '';
  },
});
`;

const root = fileURLToPath(new URL('../..', import.meta.url));
const file = `${root}test/schemas/hovered.ts`;
let hovers: string[] = [];

beforeAll(() => {
  const parts = SOURCE.split('|');
  const text = parts.join('');
  const places = parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('').length);
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      ...tsconfig.compilerOptions,
      ...{ strict: true, module: 'nodenext', target: 'es2023', skipLibCheck: true },
      ...{ exactOptionalPropertyTypes: true, noEmit: true, types: ['node'] },
    },
    root,
  );
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot(name) {
      const content = name === file ? text : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => ts.sys.readFile(name),
    readDirectory: (...given) => ts.sys.readDirectory(...given),
    directoryExists: (name) => ts.sys.directoryExists(name),
    getDirectories: (name) => ts.sys.getDirectories(name),
  });
  expect(service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([]);
  hovers = places.map((place) =>
    ts.displayPartsToString(service.getQuickInfoAtPosition(file, place)?.displayParts),
  );
});

it('an editor shows readable declarations of a tool, of what `run` gets, and of an answer', () => {
  expect(hovers.join('\n\n')).toMatchInlineSnapshot(`
    "(alias) defineTool<z.ZodObject<{
        city: z.ZodString;
        days: z.ZodDefault<z.ZodInt>;
    }, z.core.$strip>, z.ZodArray<z.ZodString>, "forbidden", never>(definition: ToolDefinition<z.ZodObject<{
        city: z.ZodString;
        days: z.ZodDefault<z.ZodInt>;
    }, z.core.$strip>, z.ZodArray<z.ZodString>, "forbidden", never>): ServerTool<"forbidden", never>
    import defineTool

    (property) ToolDefinition<ZodObject<{ city: ZodString; days: ZodDefault<ZodInt>; }, $strip>, ZodArray<ZodString>, "forbidden", never>.run: (call: ToolCall<{
        city: string;
        days: number;
    }>) => string[] | Promise<string[]>

    (parameter) args: {
        city: string;
        days: number;
    }

    (parameter) task: ToolControls

    (parameter) args: {
        city: string;
    }

    const answer: FormAnswer<{
        readonly size: "small" | "large";
        readonly count?: number;
    }>"
  `);
});
