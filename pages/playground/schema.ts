import { parse as parseYaml } from 'yaml';
import { DiagnosticError, PLAIN, renderDiagnostics } from '../../generator/diagnostics/index.js';
import { createJudge, printable, TooManySteps } from '../../json-schema/index.js';
import type { Diagnostic } from '../../generator/diagnostics/index.js';
import { emitUnits, namedParts } from '../../generator/emit/index.js';
import type { Emit } from '../../generator/emit/index.js';
import { buildProtocol } from '../../generator/ir/index.js';
import type { Protocol } from '../../generator/ir/index.js';
import {
  DEFAULT_LIMITS,
  interpret,
  jsonOfYaml,
  naming,
  parse,
} from '../../generator/read/load/index.js';
import { gapsOf, nameGapOf } from '../../generator/protocol/gaps.js';
import type { SchemaAnswer, SchemaQuestion, ValueAnswer, ValueQuestion } from './questions.js';

const EMITS: readonly Emit[] = ['types', 'zod', 'validators'];
/** What generated code calls the pasted schema, if it has no title. */
const JSON_LABEL = 'schema.json';
const YAML_LABEL = 'schema.yaml';
const VALUE_LABEL = 'value.json';

/** Generates code as `mcp-codegen generate --schema schema.json` does. */
export async function generateCode(question: SchemaQuestion): Promise<SchemaAnswer> {
  const read = attempt(() => readSchema(question));
  if ('problems' in read) return { problems: read.problems, files: [], definitions: [] };
  const { protocol, diagnostics } = read.result;
  const units = await emitUnits(namedParts(protocol), EMITS);
  return {
    problems: renderDiagnostics(diagnostics, PLAIN),
    files: units
      .filter(({ path }) => path !== 'index.ts')
      .map(({ path, text }) => ({ path, text })),
    definitions: protocol.definitions.map(({ name }) => name),
  };
}

/** Judges a value by the definitions that the generated validators are made of. It makes and runs no code. */
export function checkValue(question: ValueQuestion): ValueAnswer {
  const read = attempt(() => readSchema(question));
  if ('problems' in read) return read;
  const { definitions } = read.result.protocol;
  const found =
    definitions.find(({ name }) => name === question.definition) ??
    definitions.find(({ pointer }) => pointer === '') ??
    definitions[0];
  const value = attempt(() =>
    naming({ label: VALUE_LABEL }, () => parse(withoutMark(question.value), DEFAULT_LIMITS)),
  );
  if ('problems' in value) return value;
  const problems = renderDiagnostics(read.result.diagnostics, PLAIN);
  if (!found) return { problems };
  const judge = createJudge(new Map(definitions.map((each) => [each.name, each])));
  const definition = found.name;
  try {
    const [refused] = judge.refusals({ kind: 'ref', name: definition }, value.result);
    const refusal = refused && {
      pointer: printable(refused.pointer),
      reason: printable(refused.reason),
    };
    return { problems, checked: { definition, ...(refusal && { refusal }) } };
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    const refusal = { pointer: '', reason: 'takes too many steps to check here' };
    return { problems, checked: { definition, refusal } };
  }
}

interface ReadSchema {
  readonly protocol: Protocol;
  readonly diagnostics: readonly Diagnostic[];
}

/** @throws {DiagnosticError} when the schema cannot be read at all. */
function readSchema({ text: pasted, draft }: Pick<SchemaQuestion, 'text' | 'draft'>): ReadSchema {
  const text = withoutMark(pasted);
  const label = isJson(text) ? JSON_LABEL : YAML_LABEL;
  return naming({ label }, () => {
    const source = { label, text: isJson(text) ? text : jsonOfYaml(parseYaml, text, label) };
    const json = parse(source.text, DEFAULT_LIMITS);
    // Nothing is recognized: the schemas of MCP do not lie in the page.
    const { document, diagnostics } = interpret(source, json, {}, draft ? { draft } : {});
    const protocol = buildProtocol(document);
    const gaps = [...gapsOf(protocol), ...nameGapOf(protocol)];
    return {
      protocol,
      diagnostics: [...diagnostics, ...gaps.map((each) => ({ ...each, source: label }))],
    };
  });
}

/**
 * YAML contains JSON, but reads it slowly and without the places of its errors. `{ type: object }` is YAML: in JSON a
 * quote follows.
 */
function isJson(text: string): boolean {
  return /^\s*(?:\{\s*(?:["}]|$)|\[)/.test(text);
}

/** The byte order mark of a file, which its reader removes. */
function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

function attempt<T>(work: () => T): { readonly result: T } | { readonly problems: string } {
  try {
    return { result: work() };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return { problems: renderDiagnostics(error.diagnostics, PLAIN) };
  }
}
