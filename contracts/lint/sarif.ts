import { createHash } from 'node:crypto';
import { sarifLog, sarifUri } from '../../generator/diagnostics/index.js';
import { linesOf } from '../../generator/diagnostics/lines.js';
import { HOSTS } from './hosts/index.js';
import { idOf, type Finding } from './lint.js';
import type { Effect } from './rule.js';

/** The file in which the tools are, or one that names them: a module, a lock. */
export interface ToolsFile {
  /** As it was named, relative to the folder in which the command runs. */
  readonly file: string;
  readonly text: string;
}

/** The findings as a log of SARIF. Code scanning of GitHub takes those that have a file. */
export function findingsAsSarif(
  findings: readonly Finding[],
  { file, version }: { readonly file: ToolsFile | undefined; readonly version: string },
): object {
  const used = new Set(findings.map(({ rule }) => rule));
  const rules = HOSTS.flatMap((host) =>
    host.rules.map((rule) => ({ id: `${host.id}/${idOf(rule)}`, name: host.name, rule })),
  ).filter(({ id }) => used.has(id));
  const driver = {
    name: 'mcp-codegen lint',
    version,
    rules: rules.map(({ id, name, rule: { says, evidence } }) => ({
      id,
      shortDescription: { text: `${name}: ${says}` },
      help: { text: evidence.map(({ url, read }) => `${url}, read ${read}`).join('\n') },
      helpUri: evidence[0].url,
    })),
  };
  const lineOf = file === undefined ? () => 1 : lineIn(file);
  return sarifLog(
    driver,
    findings.map((finding) => resultOf(finding, file, lineOf(finding))),
  );
}

const LEVELS: Readonly<Record<Effect, string>> = {
  'breaks-all': 'error',
  drops: 'error',
  misreads: 'warning',
  reported: 'note',
};

function resultOf(finding: Finding, file: ToolsFile | undefined, startLine: number): object {
  const { rule, effect, found, says, mend, tool, pointer } = finding;
  return {
    ruleId: rule,
    level: LEVELS[effect],
    message: { text: `${found} ${says} ${mend}` },
    partialFingerprints: { 'toolPlace/v1': fingerprintOf(finding) },
    locations: [
      {
        ...(file !== undefined && {
          physicalLocation: {
            artifactLocation: { uri: sarifUri(file.file) },
            region: { startLine },
          },
        }),
        logicalLocations: [{ name: tool, fullyQualifiedName: pointer }],
      },
    ],
  };
}

/** Stays the same when other tools come or go. */
function fingerprintOf({ rule, tool, pointer }: Finding): string {
  const place = pointer.replace(/^\/tools\/\d+/, '');
  return createHash('sha256')
    .update(JSON.stringify([rule, tool, place]))
    .digest('hex');
}

/** The line of the place in a list of tools, else the one that first names the tool. */
function lineIn({ file, text }: ToolsFile): (finding: Finding) => number {
  const inList = file.endsWith('.json') ? listLines(text) : undefined;
  return (finding) => inList?.(finding.pointer) ?? namingLine(text, finding.tool);
}

/** Undefined for JSON that is no list of tools: `{tools}`, its answer, or the list alone. */
function listLines(text: string): ((pointer: string) => number) | undefined {
  const content = JSON.parse(text) as { tools?: unknown; result?: { tools?: unknown } };
  const lineOf = linesOf(text);
  if (Array.isArray(content)) return (pointer) => lineOf(pointer.slice('/tools'.length));
  if (Array.isArray(content.tools)) return lineOf;
  return Array.isArray(content.result?.tools)
    ? (pointer) => lineOf(`/result${pointer}`)
    : undefined;
}

function namingLine(text: string, tool: string): number {
  const at = [`'${tool}'`, JSON.stringify(tool), `\`${tool}\``]
    .map((quoted) => text.indexOf(quoted))
    .filter((found) => found >= 0);
  return at.length === 0 ? 1 : text.slice(0, Math.min(...at)).split('\n').length;
}
