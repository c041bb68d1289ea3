import type { ComponentChildren } from 'preact';
import {
  countDefinitions,
  countMethods,
  sayBreaks,
  sayChange,
  sayCount,
  sayDirection,
} from '../../generator/diff/index.js';
import type { ProtocolDiff } from '../../generator/diff/index.js';
import { Link } from './names.js';
import type { Known } from './names.js';

/** One line of the list. */
interface Entry {
  readonly subject: ComponentChildren;
  readonly change: string;
  /** `clients that send it`; empty when it breaks no side. */
  readonly breaks: string;
}

interface DifferencesProps {
  readonly diff: ProtocolDiff;
  readonly known: Known;
}

/** What changed between two revisions, breaking changes first. */
export function Differences({ diff, known }: DifferencesProps) {
  const entries = [...methodEntries(diff), ...definitionEntries(diff, known)];
  return (
    <section id="differences" aria-labelledby="differences-title">
      <h2 id="differences-title">
        {diff.before} → {diff.after}
      </h2>
      <p>
        Methods: {sayCount(countMethods(diff))}. Definitions: {sayCount(countDefinitions(diff))}.
      </p>
      <Group title="Breaking" entries={entries.filter(({ breaks }) => breaks !== '')} />
      <Group title="Other changes" entries={entries.filter(({ breaks }) => breaks === '')} />
    </section>
  );
}

interface GroupProps {
  readonly title: string;
  readonly entries: readonly Entry[];
}

function Group({ title, entries }: GroupProps) {
  if (entries.length === 0) return null;
  return (
    <section class="group">
      <h3>
        {title} <span class="quiet">({entries.length})</span>
      </h3>
      <ul class="changes">
        {entries.map(({ subject, change, breaks }) => (
          <li class="item">
            {subject} {change} {breaks !== '' && <span class="badge alarm">breaks {breaks}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function methodEntries({ methods }: ProtocolDiff): Entry[] {
  const link = (name: string) => (
    <Link to={{ kind: 'method', name }}>
      <code>{name}</code>
    </Link>
  );
  return [
    ...methods.removed.map((each) => ({
      subject: <code>{each.method}</code>,
      change: `${each.kind} removed (${sayDirection(each)})`,
      breaks: sayBreaks(each.breaks, each.senders),
    })),
    ...methods.changed.flatMap(({ method, changes }) =>
      changes.map(({ field, before, after, breaks, sentBy }) => ({
        subject: link(method),
        change: `${field}: ${before} → ${after}`,
        breaks: sayBreaks(breaks, sentBy),
      })),
    ),
    ...methods.added.map((each) => ({
      subject: link(each.method),
      change: `${each.kind} added (${sayDirection(each)})`,
      breaks: sayBreaks(each.breaks, each.senders),
    })),
  ];
}

function definitionEntries({ definitions }: ProtocolDiff, known: Known): Entry[] {
  const subject = (name: string, path = '') => {
    const shown = <code>{path === '' ? name : `${name}.${path}`}</code>;
    return known.has(name) ? <Link to={{ kind: 'type', name }}>{shown}</Link> : shown;
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
