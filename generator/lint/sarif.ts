import { HOSTS } from './hosts/index.js';
import { idOf, type Finding } from './lint.js';

/** A log of SARIF 2.1.0, as code scanning of GitHub and editors read it. */
export function findingsAsSarif(
  findings: readonly Finding[],
  { file, version }: { readonly file: string | undefined; readonly version: string },
): object {
  const used = new Set(findings.map(({ rule }) => rule));
  const rules = HOSTS.flatMap((host) =>
    host.rules.map((rule) => ({ id: `${host.id}/${idOf(rule)}`, name: host.name, rule })),
  ).filter(({ id }) => used.has(id));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'mcp-codegen lint',
            version,
            rules: rules.map(({ id, name, rule: { says, source, read } }) => ({
              id,
              shortDescription: { text: `${name}: ${says}` },
              help: { text: `${source}, read ${read}` },
              helpUri: source,
            })),
          },
        },
        results: findings.map((finding) => resultOf(finding, file)),
      },
    ],
  };
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
          physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: 1 } },
        }),
        logicalLocations: [
          { ...(tool !== undefined && { name: tool }), fullyQualifiedName: pointer },
        ],
      },
    ],
  };
}

/** Relative to the folder in which it was run, as the path was given. */
function uriOf(path: string): string {
  return path.split(/[\\/]/).map(encodeURIComponent).join('/');
}
