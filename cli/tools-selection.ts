import { relative, resolve, sep } from 'node:path';
import type { ToolsEntry } from './config/index.js';
import { DiagnosticError } from '../generator/diagnostics/index.js';
import { quote } from '../json-schema/text.js';
import { DEFAULT_LIMITS } from '../generator/read/load/limits.js';
import { readIfPresent, readSource } from '../generator/read/load/source.js';
import { packageVersion } from '../generator/read/load/version.js';
import type { ToolsInput } from '../generator/plan/generate.js';
import { recordedTools } from '../generator/plan/tools-job.js';
import type { Io } from './io.js';
import { locationOf } from './server-location.js';

/** Tools to generate from, and where they are. */
export interface SelectedTools {
  readonly name: string;
  readonly from:
    /** An absolute path. */
    | { readonly file: string }
    /** A URL, or a command that runs in `folder`. */
    | { readonly server: readonly string[]; readonly folder: string }
    /** What the output folder contains. */
    | { readonly record: true };
}

/** `folder` is the folder of the configuration. */
export function configuredTools(entry: ToolsEntry, folder: string): SelectedTools {
  const { name } = entry;
  return 'source' in entry
    ? { name, from: { file: resolve(folder, entry.source) } }
    : { name, from: { server: [entry.server].flat(), folder } };
}

/** The tools of an entry of the manifest, by the file that it names. */
export function manifestTools(name: string, file: string, out: string): SelectedTools {
  return file === recordedTools(name)
    ? { name, from: { record: true } }
    : { name, from: { file: resolve(out, file) } };
}

interface Reads extends Pick<Io, 'cwd' | 'env' | 'notice'> {
  /** The output folder. */
  readonly out: string;
  /** Whether servers are asked. Otherwise their tools are those of the last run. */
  readonly asks: boolean;
}

/**
 * Reads the tools, one server after another.
 *
 * @throws {DiagnosticError} `not-found`, `too-large` or `unreachable-server`.
 */
export async function readSelectedTools(
  selected: readonly SelectedTools[],
  reads: Reads,
): Promise<ToolsInput[]> {
  const inputs: ToolsInput[] = [];
  for (const each of selected) inputs.push(await read(each, reads));
  return inputs;
}

const TIMEOUT = 30_000;

async function read({ name, from }: SelectedTools, reads: Reads): Promise<ToolsInput> {
  const { out, cwd, env, notice, asks } = reads;
  if ('file' in from) {
    const { text, label } = await readSource(relative(cwd, from.file), DEFAULT_LIMITS, cwd);
    return { name, tools: text, label, recordAs: relative(out, from.file).split(sep).join('/') };
  }
  if ('server' in from && asks) {
    const location = locationOf({ server: from.server }, { cwd: from.folder, env });
    const { listTools } = await import('./client/connect/index.js');
    const { printToolList } = await import('../generator/tools/index.js');
    const { tools } = await listTools(location, {
      timeout: TIMEOUT,
      version: packageVersion(),
      knowsTasks: true,
      notice,
    });
    return { name, tools: printToolList(tools), label: name };
  }
  const file = resolve(out, recordedTools(name));
  const source = readIfPresent(file, DEFAULT_LIMITS);
  if (source) return { name, tools: source.text, label: name };
  // The configuration may be newer than the folder: then all files are missing.
  if ('server' in from) return { name, tools: '[]', label: name };
  throw missing(name, relative(cwd, file));
}

function missing(name: string, file: string): DiagnosticError {
  return new DiagnosticError([
    {
      code: 'not-found',
      severity: 'error',
      message: `The tools of ${quote(name)} are not in ${quote(file)}.`,
      source: file,
      help: 'Restore the file, or run mcp-codegen tools again.',
    },
  ]);
}
