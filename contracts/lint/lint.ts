import { DiagnosticError } from '../../generator/diagnostics/index.js';
import type { JsonValue } from '../../json-schema/index.js';
import { isObject } from '../../json-schema/json.js';
import { jsonPointer } from '../../json-schema/pointer.js';
import { quote } from '../../json-schema/text.js';
import { isTooDeep } from '../../generator/tools/index.js';
import { CHECKS, type ListedTool, type Spot } from './checks.js';
import { DEFAULT_HOSTS, HOSTS } from './hosts/index.js';
import type { Check, Effect, Evidence, Host, Rule } from './rule.js';

/** One thing that a host refuses or misreads. */
export interface Finding {
  /** `claude`, as in `HOSTS`. */
  readonly host: string;
  /** `claude/root-keyword`. */
  readonly rule: string;
  readonly effect: Effect;
  /** Its name; empty when it has none. */
  readonly tool: string;
  /** Versions, fields or models to which it is limited. */
  readonly where: string | undefined;
  /** In the list of tools, as a JSON pointer (RFC 6901): `/tools/0/inputSchema/oneOf`. */
  readonly pointer: string;
  /** What is there, as a sentence. */
  readonly found: string;
  /** What the host does, as a sentence. */
  readonly says: string;
  /** What to write instead, as a sentence. */
  readonly mend: string;
  readonly evidence: readonly Evidence[];
}

/** What becomes of the tools in a host. */
export interface HostVerdict {
  readonly host: string;
  readonly name: string;
  readonly verdict: 'works' | 'affected' | 'refused';
  /** How many tools are refused or misread. */
  readonly tools: number;
  /** How many of the host's rules are broken that others report. */
  readonly reported: number;
}

export interface LintOptions {
  /** The hosts by id, beside `mcp`, whose rules are for all. Default: all but `openai-strict`. */
  readonly hosts?: readonly string[];
  /** Rules to leave out: `claude/root-keyword`, or `root-keyword` of every host. */
  readonly ignore?: readonly string[];
}

/**
 * What hosts refuse or misread in tools, as `tools/list` names them.
 *
 * @throws {RangeError} for a host that does not exist.
 * @throws {DiagnosticError} `bad-tool` for a schema that nests deeper than 100 levels.
 */
export function lintTools(
  tools: readonly unknown[],
  { hosts = DEFAULT_HOSTS, ignore = [] }: LintOptions = {},
): readonly Finding[] {
  const names = new Set<string>();
  const listed = tools.map((tool) => listedTool(tool as JsonValue, names));
  const ignored = new Set(ignore);
  return [...new Set([ALWAYS, ...hosts])]
    .map(hostOf)
    .flatMap((host) =>
      host.rules
        .filter((rule) => !ignored.has(idOf(rule)) && !ignored.has(`${host.id}/${idOf(rule)}`))
        .flatMap((rule) => findingsOf(host, rule, listed)),
    );
}

/** What the findings mean, host by host. What the protocol asks for concerns every host. */
export function verdictsOf(
  findings: readonly Finding[],
  hosts: readonly string[] = DEFAULT_HOSTS,
): readonly HostVerdict[] {
  const ids = hosts.filter((id) => id !== ALWAYS);
  return ids.map((id) => {
    const own = findings.filter(({ host }) => host === id);
    const sure = findings.filter(
      ({ host, effect }) => (host === id || host === ALWAYS) && effect !== 'reported',
    );
    const isRefused = sure.some(({ effect }) => effect === 'breaks-all');
    const reports = own.filter(({ effect }) => effect === 'reported');
    return {
      host: id,
      name: hostOf(id).name,
      verdict: isRefused ? 'refused' : sure.length > 0 ? 'affected' : 'works',
      tools: new Set(sure.map(({ pointer }) => pointer.split('/', 3).join('/'))).size,
      reported: new Set(reports.map(({ rule }) => rule)).size,
    };
  });
}

/** What the protocol itself asks for. */
const ALWAYS = 'mcp';

/** How a rule is named, within its host. */
export function idOf(rule: Rule): string {
  return rule.id ?? rule.check;
}

/** What `ignore` may contain. */
export function ruleNames(): readonly string[] {
  const names = HOSTS.flatMap(({ id, rules }) =>
    rules.flatMap((rule) => [idOf(rule), `${id}/${idOf(rule)}`]),
  );
  return [...new Set(names)].sort();
}

export function hostOf(id: string): Host {
  const host = HOSTS.find((each) => each.id === id);
  if (host !== undefined) return host;
  throw new RangeError(
    `There is no host ${JSON.stringify(id)}: ${HOSTS.map((each) => each.id).join(', ')}.`,
  );
}

function findingsOf(host: Host, rule: Rule, tools: readonly ListedTool[]): Finding[] {
  const { effect, where, says, evidence } = rule;
  const id = `${host.id}/${idOf(rule)}`;
  const about = { host: host.id, rule: id, effect, where, says, evidence };
  // The table has for each check the function of its rules.
  const check = CHECKS[rule.check] as (tool: ListedTool, rule: Check) => Spot[];
  return tools.flatMap((tool, at) =>
    check(tool, rule).map(({ path, found, mend }) => ({
      ...about,
      tool: tool.name,
      pointer: jsonPointer(['tools', at, ...path]),
      found,
      mend,
    })),
  );
}

/** `names`: those of the tools before it, to which its own is added. */
function listedTool(tool: JsonValue, names: Set<string>): ListedTool {
  const { name, description, inputSchema, outputSchema } = isObject(tool) ? tool : {};
  const own = typeof name === 'string' ? name : '';
  const listed = {
    name: own,
    description: typeof description === 'string' ? description : undefined,
    inputSchema,
    outputSchema,
    isRepeated: names.has(own),
  };
  names.add(own);
  for (const schema of [inputSchema, outputSchema]) {
    if (schema !== undefined && isTooDeep(schema)) throw tooDeep(listed.name);
  }
  return listed;
}

function tooDeep(name: string): DiagnosticError {
  const message = `A schema of the tool ${quote(name)} nests too deeply to be read.`;
  return new DiagnosticError([{ code: 'bad-tool', severity: 'error', message }]);
}
