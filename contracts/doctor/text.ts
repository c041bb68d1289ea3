import { printable } from '../../json-schema/text.js';
import type { Paint } from '../../generator/diagnostics/index.js';
import { verdictsAsText } from '../lint/index.js';
import { codeSpan } from '../lock/index.js';
import { statusOf, summaryOf } from './say.js';
import { SECTIONS } from './model.js';
import type { Examination, Finding, Section } from './model.js';

/** Findings of a section that are printed. */
const SHOWN = 12;

const MARKS = { good: '✓', bad: '✗', warn: '!', none: '–' } as const;
const COLOURS = { good: 'green', bad: 'red', warn: 'yellow', none: 'dim' } as const;
const SEVERITY = { error: 'red', unclear: 'yellow', warning: 'yellow', note: 'dim' } as const;

/** A page for a terminal: a line a section, and its findings with the first of what shows them. */
export function examinationAsText(examination: Examination, paint: Paint): string {
  const sections = Object.keys(SECTIONS) as Section[];
  const parts = sections.map((section) => sectionText(section, examination, paint));
  const { name, server, messages, seed } = examination;
  const title = name === undefined ? server : `${name} at ${server}`;
  const end = `${String(messages)} messages; drawn with --seed ${String(seed)}.`;
  return `${paint.bold(printable(title))}\n\n${parts.join('')}\n${paint.dim(end)}\n`;
}

function sectionText(section: Section, examination: Examination, paint: Paint): string {
  const status = statusOf(section, examination);
  const head = `${paint[COLOURS[status]](MARKS[status])} ${paint.bold(SECTIONS[section])}: ${printable(summaryOf(section, examination))}\n`;
  const own = examination.findings.filter((each) => each.section === section);
  const more = own.length - SHOWN;
  const rest = more > 0 ? paint.dim(`  … and ${String(more)} more: --json has all\n`) : '';
  const hosts = section === 'hosts' ? hostsText(examination, paint) : '';
  return `${head}${hosts}${own
    .slice(0, SHOWN)
    .map((finding) => findingText(finding, paint))
    .join('')}${rest}`;
}

/** A line for each host in which something does not work. */
function hostsText({ verdicts }: Examination, paint: Paint): string {
  const others = verdicts.filter(({ verdict }) => verdict !== 'works');
  if (others.length === 0) return '';
  return verdictsAsText(others, paint).replace(/^/gm, '  ').replace(/ +$/, '');
}

function findingText(finding: Finding, paint: Paint): string {
  const { severity, message, requirement = [], count, evidence, place } = finding;
  const ids = requirement.length > 0 ? ` [${requirement.join(', ')}]` : '';
  const times = count > 1 ? ` ×${String(count)}` : '';
  const shown = [...evidence.slice(0, 2), ...(place === undefined ? [] : [place])];
  return (
    `  ${paint[SEVERITY[severity]](severity)}: ${printable(message)}${paint.dim(ids + times)}\n` +
    shown.map((line) => `      ${paint.dim(printable(line))}\n`).join('')
  );
}

/** For a comment on a pull request, as Markdown of GitHub. */
export function examinationAsMarkdown(examination: Examination): string {
  const { name, server, findings } = examination;
  const rows = (Object.keys(SECTIONS) as Section[]).map((section) => {
    const status = MARKS[statusOf(section, examination)];
    return `| ${status} | ${SECTIONS[section]} | ${codeSpan(summaryOf(section, examination).replaceAll('|', ' '))} |\n`;
  });
  const items = findings
    .filter(({ severity }) => severity !== 'note')
    .map(({ severity, section, message, requirement = [], evidence }) => {
      const ids = requirement.length > 0 ? ` (${requirement.join(', ')})` : '';
      const shown = evidence.slice(0, 1).map((line) => `  - ${codeSpan(line)}\n`);
      return `- **${severity}**, ${SECTIONS[section]}${ids}: ${codeSpan(message)}\n${shown.join('')}`;
    });
  const table = `| | | |\n| --- | --- | --- |\n${rows.join('')}`;
  return `## ${codeSpan(name ?? server)}\n\n${table}${items.length > 0 ? `\n${items.join('')}` : ''}`;
}
