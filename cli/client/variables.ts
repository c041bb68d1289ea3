import { basename, sep } from 'node:path';
import { isUrlSecret } from './connect/index.js';
import { homeFolder } from './folders.js';
import type { Env } from './io.js';
import type { Program } from './mcp-files.js';
import { UsageError } from './usage.js';

/** What the variables of a file are resolved with. */
export interface VariableSources {
  readonly program: Program;
  readonly env: Env;
  /** Whether a project, which may come from a stranger, wrote the text. */
  readonly isProject: boolean;
  /** The folder of the project, or the current one. */
  readonly folder: string;
  /** The value of an input that VS Code asks its user for. */
  readonly input: (id: string) => Promise<string>;
}

/** `${input:key}`, `${env:KEY}`, `${workspaceFolder}`; of Claude Code `${KEY}` and `${KEY:-default}`. */
const VARIABLE = /\$\{([^{}]*)\}/g;

/** The variables of a text, as its program resolves them. @throws {UsageError} for one without a value. */
export async function resolved(text: string, sources: VariableSources): Promise<string> {
  if (sources.program === 'claude-desktop') return text;
  const names = new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name));
  const values = new Map<string, string>();
  for (const name of names) {
    const value = await valueOf(name, sources);
    if (value !== undefined) values.set(name, value);
  }
  return text.replace(VARIABLE, (whole, name: string) => values.get(name) ?? whole);
}

/** The environment variables that a text names. */
export function environmentIn(text: string, program: Program): string[] {
  const pattern =
    program === 'claude' ? /\$\{([A-Za-z_]\w*)(?::-[^{}]*)?\}/g : /\$\{env:([^{}]+)\}/g;
  if (program === 'claude-desktop') return [];
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}

/** Undefined for a name that is no variable of the program: the text stays. */
async function valueOf(name: string, sources: VariableSources): Promise<string | undefined> {
  const { program, env, folder } = sources;
  if (program === 'claude') {
    const [, variable, preset] = /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(name) ?? [];
    return variable === undefined ? undefined : fromEnvironment(variable, sources, preset);
  }
  const [, variable] = /^env:(.+)$/s.exec(name) ?? [];
  if (variable !== undefined) return fromEnvironment(variable, sources);
  const [, id] = /^input:(.+)$/s.exec(name) ?? [];
  if (id !== undefined && program === 'vscode') return await sources.input(id);
  const known = new Map([
    ['workspaceFolder', folder],
    ['workspaceFolderBasename', basename(folder)],
    ['userHome', homeFolder(env)],
    ['pathSeparator', sep],
    ['/', sep],
  ]);
  return known.get(name);
}

function fromEnvironment(
  name: string,
  { env, isProject }: Pick<VariableSources, 'env' | 'isProject'>,
  preset?: string,
): string {
  if (isProject && isUrlSecret(name)) {
    throw new UsageError(
      `The file of the project names the variable ${name}, which goes to no server that a project chose.`,
      'Use another variable there, or save the server: mcp-codegen servers add',
    );
  }
  const value = env[name];
  if (value !== undefined && value !== '') return value;
  if (preset !== undefined) return preset;
  throw new UsageError(
    `The environment variable ${name} is not set, and the server needs it.`,
    `Set it: ${name}=… mcp-codegen …`,
  );
}
