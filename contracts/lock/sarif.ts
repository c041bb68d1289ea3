import { sarifLog, sarifUri } from '../../generator/diagnostics/index.js';
import { linesOf } from '../../generator/diagnostics/lines.js';
import { RULES } from './change.js';
import type { Change, Verdict } from './change.js';
import { evidenceOf, MARKS, sayEntry, sayMessage, textDiff } from './say.js';

/** A lock that was compared. */
export interface Compared {
  /** As it was named, relative to the folder in which the command runs. */
  readonly file: string;
  /** The text of the file. */
  readonly text: string;
  readonly changes: readonly Change[];
}

const LEVELS = {
  breaking: 'error',
  unclear: 'warning',
  text: 'warning',
  compatible: 'note',
} as const satisfies Record<Verdict, string>;

/** The changes as a log of SARIF. Places are those in the lock files. */
export function changesAsSarif(compared: readonly Compared[], version: string): object {
  const used = new Set(compared.flatMap(({ changes }) => changes.map(({ rule }) => rule)));
  const rules = Object.entries(RULES).filter(([id]) => [...used].some((rule) => rule === id));
  const driver = {
    name: 'mcp-codegen lock',
    version,
    rules: rules.map(([id, text]) => ({ id, shortDescription: { text } })),
  };
  return sarifLog(driver, compared.flatMap(resultsOf));
}

function resultsOf({ file, text, changes }: Compared): object[] {
  const lineOf = linesOf(text);
  return changes.map((change) => ({
    ruleId: change.rule,
    level: LEVELS[change.verdict],
    message: {
      text: [
        `${sayEntry(change)}: ${sayMessage(change)}`,
        ...evidenceOf(change),
        ...diffOf(change),
      ].join('\n'),
    },
    properties: { verdict: change.verdict },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: sarifUri(file) },
          region: { startLine: lineOf(change.pointer) },
        },
        logicalLocations: [
          {
            ...(change.name !== undefined && { name: change.name }),
            fullyQualifiedName: change.pointer,
          },
        ],
      },
    ],
  }));
}

function diffOf(change: Change): string[] {
  const diff = textDiff(change, MARKS);
  return diff === undefined ? [] : [diff];
}
