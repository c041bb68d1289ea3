import { VERDICTS } from './change.js';
import type { Change, Verdict } from './change.js';
import { evidenceOf, MARKS, sayEntry, sayMessage, textDiff } from './say.js';
import { sayCounts } from './text.js';

const TITLES: Readonly<Record<Verdict, string>> = {
  breaking: 'Breaking',
  unclear: 'Unclear',
  text: 'Texts and hints',
  compatible: 'Compatible',
};

/** Changes for a comment on a pull request, as Markdown of GitHub. `file` is the lock. */
export function changesAsMarkdown(changes: readonly Change[], file: string): string {
  const heading = `## Contract of ${codeSpan(file)}\n`;
  if (changes.length === 0) return `${heading}\nNo changes.\n`;
  const sections = VERDICTS.map((verdict) => {
    const own = changes.filter((change) => change.verdict === verdict);
    return own.length === 0 ? '' : `\n### ${TITLES[verdict]}\n\n${own.map(item).join('')}`;
  });
  return `${heading}\n${sayCounts(changes)}\n${sections.join('')}`;
}

function item(change: Change): string {
  const diff = textDiff(change, MARKS);
  const lines = [...evidenceOf(change), ...(diff === undefined ? [] : [diff])];
  const head = `- ${codeSpan(sayEntry(change))}: ${codeSpan(sayMessage(change))}\n`;
  return head + lines.map((line) => `  - ${codeSpan(line)}\n`).join('');
}

/** A stranger's text as code of one line, in which Markdown and HTML mean nothing: between more backticks than it has in a row. */
export function codeSpan(text: string): string {
  const line = text.replace(/[\r\n]/g, ' ');
  const runs = [...line.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(0, ...runs) + 1);
  const space = runs.length > 0 ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}
