import { printable, quote } from '../../../json-schema/text.js';
import type { Paint } from '../../diagnostics/index.js';
import { hostOf, type Finding } from './lint.js';
import type { Effect } from './rule.js';

const EFFECTS: Readonly<Record<Effect, string>> = {
  'breaks-all': 'breaks all tools',
  drops: 'loses the tool',
  misreads: 'misreads it',
};

/**
 * Findings for a terminal. What several hosts find in one place is said once:
 *
 *     "draw" /tools/0/inputSchema/oneOf
 *       oneOf is at the root. Put it into a property, or make a tool of each alternative.
 *       Claude loses the tool: … (claude/root-keyword)
 *         https://github.com/…, read 2026-11-25
 */
export function findingsAsText(findings: readonly Finding[], paint: Paint): string {
  const places = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.pointer, finding.found]);
    const place = places.get(key);
    if (place === undefined) places.set(key, [finding]);
    else place.push(finding);
  }
  return [...places.values()].map((place) => placeAsText(place, paint)).join('\n');
}

function placeAsText(place: readonly Finding[], paint: Paint): string {
  const [first] = place;
  if (first === undefined) return '';
  const name = first.tool === undefined ? 'all tools' : quote(first.tool);
  const lines = [
    `${paint.bold(name)} ${printable(first.pointer)}`,
    `  ${printable(first.found)} ${first.mend}`,
    ...place.flatMap((each) => hostLines(each, paint)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function hostLines({ host, effect, says, rule, source, read }: Finding, paint: Paint): string[] {
  const colour = effect === 'misreads' ? paint.yellow : paint.red;
  return [
    `  ${hostOf(host).name} ${colour(EFFECTS[effect])}: ${says} ${paint.dim(`(${rule})`)}`,
    paint.dim(`    ${source}, read ${read}`),
  ];
}
