export const code = (text: string): string => `\`${text}\``;

/** A table; a column that is empty in every row is left out. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = head.map((_, column) => rows.some((row) => (row[column] ?? '') !== ''));
  const line = (cells: readonly string[]): string =>
    `| ${cells
      .filter((_, column) => used[column])
      .map(cell)
      .join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

/** A bar would end the cell, also within code; `<name>` outside of code would be an element. */
const cell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
    .replaceAll(CODE_OR_ANGLE, (found) => (found === '<' ? '\\<' : found));

const CODE_OR_ANGLE = /`[^`]*`|<(?=[a-z])/gi;

/** A page with `text` between two marks, each of which it has once. */
export function between(page: string, start: string, end: string, text: string): string {
  const [before, rest, ...more] = page.split(start);
  const [, after, ...others] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined || more.length + others.length > 0) {
    throw new Error(`The page has no place between ${start.trim()} and ${end}`);
  }
  return `${before}${start}\n${text}\n${end}${after}`;
}
