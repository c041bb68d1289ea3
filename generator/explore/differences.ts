import {
  countDefinitions,
  countMethods,
  sayBreaks,
  sayChange,
  sayCount,
  sayDirection,
} from '../diff/index.js';
import type { ProtocolDiff } from '../diff/index.js';
import { html } from '../page/index.js';
import type { Html, Value } from '../page/index.js';
import { link } from './names.js';

/** One line of the list. */
interface Entry {
  readonly subject: Value;
  readonly change: string;
  /** `clients that send it`; empty when it breaks no side. */
  readonly breaks: string;
}

/** What changed between two revisions, breaking changes first. */
export function differencesSection(diff: ProtocolDiff, known: ReadonlySet<string>): Html {
  const entries = [...methodEntries(diff), ...definitionEntries(diff, known)];
  const breaking = entries.filter(({ breaks }) => breaks !== '');
  const others = entries.filter(({ breaks }) => breaks === '');
  return html`<section id="differences" aria-labelledby="differences-title">
    <h2 id="differences-title">${diff.before} → ${diff.after}</h2>
    <p>
      Methods: ${sayCount(countMethods(diff))}. Definitions: ${sayCount(countDefinitions(diff))}.
    </p>
    ${group('Breaking', breaking)}${group('Other changes', others)}
  </section> `;
}

function group(title: string, entries: readonly Entry[]): Html | undefined {
  if (entries.length === 0) return undefined;
  return html`<section class="group">
    <h3>${title} <span class="limits">(${entries.length})</span></h3>
    <ul class="changes">
      ${entries.map(
        ({ subject, change, breaks }) =>
          html`<li class="item">
            ${subject}
            ${change}${breaks !== '' && html` <span class="badge breaking">breaks ${breaks}</span>`}
          </li> `,
      )}
    </ul>
  </section> `;
}

function methodEntries({ methods }: ProtocolDiff): Entry[] {
  const subject = (method: string, isHere = true): Value =>
    isHere
      ? link({ kind: 'method', name: method }, html`<code>${method}</code>`)
      : html`<code>${method}</code>`;
  return [
    ...methods.removed.map((each) => ({
      subject: subject(each.method, false),
      change: `${each.kind} removed (${sayDirection(each)})`,
      breaks: sayBreaks(each.breaks, each.senders),
    })),
    ...methods.changed.flatMap(({ method, changes }) =>
      changes.map(({ field, before, after, breaks, sentBy }) => ({
        subject: subject(method),
        change: `${field}: ${before} → ${after}`,
        breaks: sayBreaks(breaks, sentBy),
      })),
    ),
    ...methods.added.map((each) => ({
      subject: subject(each.method),
      change: `${each.kind} added (${sayDirection(each)})`,
      breaks: sayBreaks(each.breaks, each.senders),
    })),
  ];
}

function definitionEntries({ definitions }: ProtocolDiff, known: ReadonlySet<string>): Entry[] {
  const subject = (name: string, path = ''): Value => {
    const shown = html`<code>${name}${path !== '' && `.${path}`}</code>`;
    return known.has(name) ? link({ kind: 'type', name }, shown) : shown;
  };
  return [
    ...definitions.changed.flatMap(({ name, sentBy, changes }) =>
      changes.map((change) => ({
        subject: subject(name, change.path),
        change: sayChange(change),
        breaks: sayBreaks(change.breaks, sentBy),
      })),
    ),
    ...definitions.removed.map((name) => ({
      subject: subject(name),
      change: 'removed',
      breaks: '',
    })),
    ...definitions.added.map((name) => ({ subject: subject(name), change: 'added', breaks: '' })),
  ];
}
