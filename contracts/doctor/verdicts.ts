import { many } from '../../generator/diagnostics/index.js';
import { quote } from '../../json-schema/text.js';
import { verdictsOf } from '../lint/index.js';
import type { Finding as LintFinding, HostVerdict } from '../lint/index.js';
import type { Findings, Severity } from './model.js';
import type { Show } from './shown.js';
import type { Watch } from './watch.js';

/** Lint's rules of the protocol itself, of which `validate` sees nothing. */
const OF_PROTOCOL = 'mcp';
const IN_PROTOCOL: ReadonlySet<string> = new Set([
  'mcp/schema',
  'mcp/root-type',
  'mcp/output-type',
]);

const SEVERITY: Readonly<Record<LintFinding['effect'], Severity>> = {
  'breaks-all': 'error',
  drops: 'error',
  misreads: 'warning',
  reported: 'note',
};

const SAYS: Readonly<Record<LintFinding['effect'], string>> = {
  'breaks-all': 'refuses all tools because of',
  drops: 'refuses',
  misreads: 'misreads',
  reported: 'is reported to refuse',
};

/** What becomes of the tools in each host: a finding for each rule. */
export function judgeTools(
  lint: readonly LintFinding[],
  findings: Findings,
): readonly HostVerdict[] {
  const rules = new Map<string, LintFinding[]>();
  for (const each of lint) rules.set(each.rule, [...(rules.get(each.rule) ?? []), each]);
  const verdicts = verdictsOf(lint);
  for (const [rule, [first, ...others]] of rules) {
    if (!first) continue;
    const { effect, host, tool, found, mend, says } = first;
    const tools = new Set(others.map((each) => each.tool)).size;
    const more = tools > 1 ? ` and ${many(tools - 1, 'other')}` : '';
    const isProtocol = host === OF_PROTOCOL && IN_PROTOCOL.has(rule);
    const name = verdicts.find((each) => each.host === host)?.name ?? 'Every host';
    findings.add({
      section: isProtocol ? 'protocol' : 'hosts',
      severity: SEVERITY[effect],
      code: rule,
      ...(rule === 'mcp/schema' && { requirement: ['BASE-TOOL-6'] }),
      message: isProtocol
        ? `The tool ${quote(tool)}${more}: ${found} ${says}`
        : `${name} ${SAYS[effect]} ${quote(tool)}${more}: ${found} ${mend}`,
      evidence: [first, ...others].map((each) => `${each.pointer}: ${each.found}`),
      count: others.length + 1,
    });
  }
  return verdicts;
}

/** What `validate` found in the messages of a connection, and what came instead of messages. */
export function reportJudged(
  watch: Watch,
  { findings, show }: { readonly findings: Findings; readonly show: Show },
): void {
  for (const { finding, message, revision } of watch.findings) {
    const { severity, code, requirement, pointer = '', method } = finding;
    const place = pointer.replace(/\/\d+(?=\/|$)/g, '/*');
    const what = finding.expected === undefined ? finding.message : sayShape(finding);
    const about = method === undefined ? '' : ` (${method})`;
    findings.add({
      section: 'protocol',
      ...{ severity, code },
      ...(requirement && { requirement }),
      message: `${place === '' || what.startsWith(pointer) ? '' : `\`${place}\`: `}${what}${about}`,
      ...(revision !== undefined && { revisions: [revision] }),
      evidence: [show(message, pointer)],
    });
  }
  for (const { message, received } of watch.strays) {
    findings.add({
      section: 'protocol',
      severity: 'error',
      code: 'not-a-message',
      requirement: [watch.kind === 'pipe' ? 'BASE-MSG-8' : 'BASE-MSG-1'],
      message: `${message}.`,
      evidence: received === undefined ? [] : [show(received)],
    });
  }
}

function sayShape({
  expected = '',
  received = '',
}: {
  expected?: string;
  received?: string;
}): string {
  return `expected ${expected}, received ${received}`;
}
