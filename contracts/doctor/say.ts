import type { Examination, Section } from './model.js';

export type Status = 'good' | 'bad' | 'warn' | 'none';

/** How a section ends. */
export function statusOf(section: Section, { findings, summaries, verdicts }: Examination): Status {
  const own = findings.filter((each) => each.section === section);
  const isRefused = section === 'hosts' && verdicts.some(({ verdict }) => verdict === 'refused');
  if (isRefused || own.some(({ severity }) => severity === 'error')) return 'bad';
  if (own.some(({ severity }) => severity !== 'note')) return 'warn';
  return summaries[section] === undefined ? 'none' : 'good';
}

/** What was examined, as a clause. */
export function summaryOf(section: Section, { summaries }: Examination): string {
  return summaries[section] ?? 'not examined';
}
