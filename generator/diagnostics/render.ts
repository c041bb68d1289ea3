import { printable } from '../../json-schema/text.js';
import type { Diagnostic, DiagnosticCode } from './diagnostic.js';
import type { Paint } from './paint.js';

/** Diagnostics of one kind that are shown in full. */
const SHOWN = 3;
/** Further diagnostics whose place is shown. */
const PLACES = 10;
/** What got another name, and is generated all the same. An API may have hundreds, so many are one line. */
const NAMES: ReadonlySet<DiagnosticCode> = new Set(['bad-name', 'renamed-tool']);

/**
 * Prints diagnostics for users in the style of compilers:
 *
 *     error[dangling-ref]: "#/$defs/Tol" points at no definition.
 *       --> schema.json#/$defs/Tools/items/$ref
 *       help: Define "Tol" under "$defs".
 *
 * Of many with one code it prints the first three, and the places of ten more. Of many names that are other ones, it
 * prints their number and the first.
 */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], paint: Paint): string {
  const groups = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const key = `${diagnostic.severity} ${diagnostic.code} ${diagnostic.source ?? ''}`;
    const group = groups.get(key);
    if (group) group.push(diagnostic);
    else groups.set(key, [diagnostic]);
  }
  return [...groups.values()]
    .sort(([a], [b]) => rank(a) - rank(b))
    .map((group) => renderGroup(group, paint))
    .join('');
}

function rank(diagnostic: Diagnostic | undefined): number {
  return diagnostic?.severity === 'error' ? 0 : 1;
}

function renderGroup(group: readonly Diagnostic[], paint: Paint): string {
  const shown = group.length > SHOWN + 1 ? group.slice(0, SHOWN) : group;
  const rest = group.slice(shown.length);
  const full = shown.map((diagnostic, index) => {
    const said = shown[index - 1]?.help === diagnostic.help;
    return renderOne(diagnostic, paint, !said);
  });
  const [first] = rest;
  if (!first) return full.join('');
  if (NAMES.has(first.code)) return renderNames(group, paint);
  const places = rest
    .slice(0, PLACES)
    .map(({ pointer }) => `  --> ${printable(`#${pointer ?? ''}`)}\n`);
  if (rest.length > PLACES) places.push(`  and ${String(rest.length - PLACES)} more\n`);
  const count = `${String(rest.length)} more of this kind:`;
  return `${full.join('')}${title(first, paint)}: ${count}\n${paint.dim(places.join(''))}`;
}

function renderNames({ 0: example, length }: readonly Diagnostic[], paint: Paint): string {
  if (!example) return '';
  const place = example.source === undefined ? '' : ` in ${example.source}`;
  const text = printable(`${String(length)} names${place}. The first: ${example.message}`);
  return `${title(example, paint)}: ${paint.bold(text)}\n`;
}

function renderOne(diagnostic: Diagnostic, paint: Paint, withHelp: boolean): string {
  const { message, source, pointer, help } = diagnostic;
  const place = `${source ?? ''}${pointer === undefined ? '' : `#${pointer}`}`;
  return [
    `${title(diagnostic, paint)}: ${paint.bold(printable(message))}\n`,
    place && `  ${paint.dim(`--> ${printable(place)}`)}\n`,
    withHelp && help ? `  ${paint.cyan('help:')} ${printable(help)}\n` : '',
  ].join('');
}

function title({ severity, code }: Diagnostic, paint: Paint): string {
  return (severity === 'error' ? paint.red : paint.yellow)(`${severity}[${code}]`);
}
