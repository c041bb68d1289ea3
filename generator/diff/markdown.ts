import { printable } from '../../json-schema/text.js';
import { countSides } from './sides.js';
import type { MethodSummary, ProtocolDiff } from './model.js';
import {
  countDefinitions,
  countMethods,
  sayBreaks,
  sayChange,
  sayCount,
  sayDirection,
  sayMethods,
  saySides,
} from './outline.js';

/** For a changelog or a pull request. */
export function diffAsMarkdown(diff: ProtocolDiff): string {
  const { definitions, methods } = diff;
  const changedMethods = methods.changed.flatMap(({ method, changes }) =>
    changes.map(({ field, before, after, sentBy, breaks }) => [
      code(method),
      field,
      code(`${before} → ${after}`),
      sayBreaks(breaks, sentBy),
    ]),
  );
  const changedDefinitions = definitions.changed.flatMap(
    ({ name, sentBy, methods: carriers, changes }) =>
      changes.map((change) => [
        code(name),
        change.path && code(change.path),
        code(sayChange(change)),
        sayBreaks(change.breaks, sentBy),
        carriers.length > 0 ? code(sayMethods(carriers)) : '',
      ]),
  );
  return [
    `# ${code(diff.before)} → ${code(diff.after)}`,
    `- Methods: ${sayCount(countMethods(diff))}\n- Definitions: ${sayCount(countDefinitions(diff))}\n- Breaking: ${saySides(countSides(diff))}`,
    ...section('Methods added', methods.added.map(methodItem)),
    ...section('Methods removed', methods.removed.map(methodItem)),
    ...table('Methods changed', ['method', 'field', 'change', 'breaks'], changedMethods),
    ...section('Definitions added', definitions.added.map(code)),
    ...section('Definitions removed', definitions.removed.map(code)),
    ...table(
      'Definitions changed',
      ['definition', 'field', 'change', 'breaks', 'in'],
      changedDefinitions,
    ),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function methodItem(each: MethodSummary): string {
  const broken = sayBreaks(each.breaks, each.senders);
  const item = `${code(each.method)}: ${each.kind}, ${sayDirection(each)}`;
  return broken ? `${item}; **breaks ${broken}**` : item;
}

function section(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`## ${title}`, items.map((item) => `- ${item}`).join('\n')];
}

function table(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  if (rows.length === 0) return [];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [`## ${title}`, lines.join('\n')];
}

/** Untrusted text as inline code that cannot end the span, the cell or the line. */
function code(text: string): string {
  return `\`${printable(text).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}
