import { printable, quote } from '../../json-schema/text.js';
import { many, type Paint } from '../../generator/diagnostics/index.js';
import type { Finding, HostVerdict } from './lint.js';
import type { Effect, Grade } from './rule.js';

const EFFECTS: Readonly<Record<Effect, string>> = {
  'breaks-all': 'breaks all tools',
  drops: 'refuses the tool',
  misreads: 'misreads it',
  reported: 'is reported to refuse it',
};

const GRADES: Readonly<Record<Grade, string>> = {
  document: "the vendor's document",
  source: "the vendor's source",
  tracker: "the vendor's tracker",
  report: 'a report',
};

/**
 * Findings for a terminal, one line a rule, the worst first; with `all`, what shows the rule, and each place by tool:
 *
 *     claude/root-keyword refuses the tool: "draw" and 1 other, 3 places. oneOf is at the root. Put it into a property.
 */
export function findingsAsText(
  findings: readonly Finding[],
  paint: Paint,
  { all = false }: { readonly all?: boolean } = {},
): string {
  const effects = Object.keys(EFFECTS);
  const rules = [...groupsOf(findings, ({ rule }) => rule)].sort(
    ([one], [other]) => effects.indexOf(one.effect) - effects.indexOf(other.effect),
  );
  return rules
    .map((rule) => [ruleLine(rule, paint), ...(all ? detailsOf(rule, paint) : [])])
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join(all ? '\n' : '');
}

type Group = readonly [Finding, ...Finding[]];

function groupsOf(findings: readonly Finding[], keyOf: (finding: Finding) => string): Group[] {
  const groups = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const group = groups.get(keyOf(finding));
    if (group === undefined) groups.set(keyOf(finding), [finding]);
    else group.push(finding);
  }
  return [...groups.values()];
}

const toolOf = ({ pointer }: Finding): string => pointer.split('/', 3).join('/');

function ruleLine(rule: Group, paint: Paint): string {
  const [first] = rule;
  const tools = groupsOf(rule, toolOf).length;
  const isSure = first.effect === 'breaks-all' || first.effect === 'drops';
  const effect = (isSure ? paint.red : paint.yellow)(EFFECTS[first.effect]);
  const others = tools > 1 ? ` and ${many(tools - 1, 'other')}` : '';
  const places = rule.length > tools ? `, ${many(rule.length, 'place')}` : '';
  const where = first.where === undefined ? '' : paint.dim(` (${first.where})`);
  return `${paint.bold(first.rule)} ${effect}${where}: ${quote(first.tool)}${others}${places}. ${printable(first.found)} ${first.mend}`;
}

function detailsOf(rule: Group, paint: Paint): string[] {
  const [{ says, evidence }] = rule;
  const shown = evidence.map(({ grade, url, dated, read }) =>
    paint.dim(
      `  ${url} (${[GRADES[grade], ...(dated ? [dated] : []), `read ${read}`].join(', ')})`,
    ),
  );
  return [
    `  ${says}`,
    ...shown,
    ...groupsOf(rule, toolOf).flatMap((tool) => placesOf(tool, paint)),
  ];
}

function placesOf(tool: Group, paint: Paint): string[] {
  const places = tool.map(
    ({ pointer, found, mend }) => `    ${printable(pointer)}: ${printable(found)} ${mend}`,
  );
  return [`  ${paint.bold(quote(tool[0].tool))}`, ...places];
}

/** One line a host. */
export function verdictsAsText(verdicts: readonly HostVerdict[], paint: Paint): string {
  const width = Math.max(...verdicts.map(({ name }) => name.length));
  return verdicts
    .map(({ name, verdict, tools, reported }) => {
      const said = {
        works: paint.green('works'),
        affected: paint.yellow(`${many(tools, 'tool')} affected`),
        refused: paint.red('refused'),
      }[verdict];
      const others = reported > 0 ? paint.dim(`, ${many(reported, 'rule')} by reports`) : '';
      return `${name.padEnd(width)}  ${said}${others}\n`;
    })
    .join('');
}
