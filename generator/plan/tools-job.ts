import { supportFor } from '../emit/index.js';
import { header } from './header.js';
import type { Settings } from './protocol-job.js';
import type { Job, Product } from './job.js';
import { sha256 } from '../write/index.js';

/** The tools of a server, to generate typed functions and checks for. */
export interface ToolsInput {
  /** The name of the module. */
  readonly name: string;
  /** An answer to `tools/list`: `{ "tools": […] }`, the list alone, or a JSON-RPC response. */
  readonly tools: string;
  /** Where it came from, for messages. */
  readonly label: string;
  /** The file that it came from, relative to the output folder. Without it, the tools are written to a file as well. */
  readonly recordAs?: string;
}

/** @throws {DiagnosticError} `not-json` or `bad-tool` when the text contains no list of tools. */
export async function toolsJob(
  input: ToolsInput,
  { generator, strict = false }: Pick<Settings, 'generator' | 'strict'>,
): Promise<Job> {
  const { name, tools, label, recordAs } = input;
  const { parseToolList, printToolList } = await import('../tools/index.js');
  const list = printToolList(parseToolList(tools, label));
  const from = recordAs ?? recordedTools(name);
  const hash = sha256(JSON.stringify([name, generator, from, sha256(list)]));
  return {
    name,
    label,
    hash,
    recipe: { from: { tools: from }, emit: [], errata: true },
    produce: async () => await produce(input, list, hash, strict),
  };
}

/** The file with the tools that a server listed, below the output folder. `check` compares with it. */
export function recordedTools(name: string): string {
  return `${name}/tools.json`;
}

async function produce(
  { name, recordAs }: ToolsInput,
  list: string,
  hash: string,
  strict: boolean,
): Promise<Product> {
  const { emitTools, emitToolValidators, parseToolList, readTools } =
    await import('../tools/index.js');
  const { tools, diagnostics } = readTools(parseToolList(list, name), strict);
  // Reads the recorded list, not the server, whose command may contain secrets.
  const above = header({ label: name, sha256: sha256(list), command: ['generate', '--out', '.'] });
  const validators = emitToolValidators(tools, `../${name}.js`);
  const files = new Map([
    [`${name}.ts`, { text: above + (await emitTools(tools, `./${name}/validators.js`)) }],
    [`${name}/validators.ts`, { text: above + validators }],
    ...(recordAs === undefined ? [[recordedTools(name), { text: list }] as const] : []),
  ]);
  return {
    wanted: {
      name,
      input: hash,
      clean: diagnostics.length === 0,
      files,
      support: supportFor([validators]),
    },
    diagnostics: diagnostics.map((each) => ({ ...each, source: name })),
  };
}
