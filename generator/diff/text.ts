import { printable } from '../../json-schema/text.js';
import type { Paint } from '../diagnostics/index.js';
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

/** Text for a terminal. `!` marks a change that breaks a side, and the end of the line names the side. */
export function diffAsText(diff: ProtocolDiff, paint: Paint): string {
  const { definitions, methods } = diff;
  const lines = [
    paint.bold(`${printable(diff.before)} → ${printable(diff.after)}`),
    `methods      ${sayCount(countMethods(diff))}`,
    `definitions  ${sayCount(countDefinitions(diff))}`,
    `breaking     ${saySides(countSides(diff))}`,
    ...section('Methods', [
      ...methods.added.map((each) => paint.green('+ ') + methodLine(each, paint)),
      ...methods.removed.map((each) => paint.red('- ') + methodLine(each, paint)),
      ...methods.changed.flatMap((each) => [
        `${paint.yellow('~ ')}${printable(each.method)}`,
        ...each.changes.map(({ field, before, after, sentBy, breaks }) =>
          changeLine(`${field}: ${before} → ${after}`, sayBreaks(breaks, sentBy), paint),
        ),
      ]),
    ]),
    ...section('Definitions', [
      ...definitions.added.map((name) => paint.green('+ ') + name),
      ...definitions.removed.map((name) => paint.red('- ') + name),
      ...definitions.changed.flatMap(({ name, sentBy, methods: carriers, changes }) => [
        paint.yellow('~ ') + name + inMethods(carriers, paint),
        ...changes.map((change) =>
          changeLine(
            `${change.path}${change.path && ' '}${sayChange(change)}`,
            sayBreaks(change.breaks, sentBy),
            paint,
          ),
        ),
      ]),
    ]),
  ];
  return `${lines.join('\n')}\n`;

  function section(title: string, content: readonly string[]): string[] {
    return content.length === 0 ? [] : ['', paint.bold(title), ...content.map((it) => `  ${it}`)];
  }
}

function inMethods(methods: readonly string[], paint: Paint): string {
  return methods.length === 0 ? '' : `  ${paint.dim(`in ${printable(sayMethods(methods))}`)}`;
}

function methodLine(each: MethodSummary, paint: Paint): string {
  const { method, kind, breaks, senders } = each;
  const line = `${printable(method)}  ${paint.dim(`${kind}, ${sayDirection(each)}`)}`;
  const broken = sayBreaks(breaks, senders);
  return broken ? `${line}  ${paint.red(`breaks ${broken}`)}` : line;
}

function changeLine(text: string, broken: string, paint: Paint): string {
  const line = printable(text);
  return broken ? `  ${paint.red('!')} ${line}  ${paint.red(`breaks ${broken}`)}` : `    ${line}`;
}
