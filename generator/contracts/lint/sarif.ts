import { sarifLog, sarifUri } from '../../diagnostics/index.js';
import { HOSTS } from './hosts/index.js';
import { idOf, type Finding } from './lint.js';

/** The findings as a log of SARIF. */
export function findingsAsSarif(
  findings: readonly Finding[],
  { file, version }: { readonly file: string | undefined; readonly version: string },
): object {
  const used = new Set(findings.map(({ rule }) => rule));
  const rules = HOSTS.flatMap((host) =>
    host.rules.map((rule) => ({ id: `${host.id}/${idOf(rule)}`, name: host.name, rule })),
  ).filter(({ id }) => used.has(id));
  const driver = {
    name: 'mcp-codegen lint',
    version,
    rules: rules.map(({ id, name, rule: { says, source, read } }) => ({
      id,
      shortDescription: { text: `${name}: ${says}` },
      help: { text: `${source}, read ${read}` },
      helpUri: source,
    })),
  };
  return sarifLog(
    driver,
    findings.map((finding) => resultOf(finding, file)),
  );
}

function resultOf(finding: Finding, file: string | undefined): object {
  const { rule, effect, found, says, mend, tool, pointer } = finding;
  return {
    ruleId: rule,
    level: effect === 'misreads' ? 'warning' : 'error',
    message: { text: `${found} ${says} ${mend}` },
    locations: [
      {
        ...(file !== undefined && {
          physicalLocation: { artifactLocation: { uri: sarifUri(file) }, region: { startLine: 1 } },
        }),
        logicalLocations: [
          { ...(tool !== undefined && { name: tool }), fullyQualifiedName: pointer },
        ],
      },
    ],
  };
}
