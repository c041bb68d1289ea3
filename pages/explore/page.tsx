import type { JSX } from 'preact';
import type { ProtocolDiff } from '../../generator/diff/index.js';
import type { Metamodel } from '../../generator/emit/index.js';
import { framePage, many, rendered, SearchField } from '../toolkit/index.js';
import type { Assets } from '../toolkit/index.js';
import { Capabilities } from './capabilities.js';
import { Definitions } from './definitions.js';
import { Differences } from './differences.js';
import { Facts } from './facts.js';
import { LifeCycle } from './life-cycle.js';
import { Methods } from './methods.js';

/** What a page shows. */
export interface Subject {
  readonly model: Metamodel;
  /** The revisions of the matrix of capabilities; the page's own is added. */
  readonly revisions: readonly Metamodel[];
  readonly diff?: ProtocolDiff;
}

/** A part of the page: its id, its title, and a `section` with this id. */
type Section = readonly [id: string, title: string, content: JSX.Element];

function sectionsOf({ model, revisions, diff }: Subject): readonly Section[] {
  const known = new Set(model.definitions.map(({ name }) => name));
  const isListed = revisions.some(({ name }) => name === model.name);
  return [
    ['methods', 'Methods', <Methods model={model} known={known} />],
    ...(diff
      ? [['differences', 'Differences', <Differences diff={diff} known={known} />] as const]
      : []),
    ['tasks', 'Tasks', <LifeCycle model={model} />],
    [
      'capabilities',
      'Capabilities',
      <Capabilities models={isListed ? revisions : [...revisions, model]} />,
    ],
    ['facts', 'Errors', <Facts model={model} known={known} />],
    ['definitions', 'Definitions', <Definitions model={model} known={known} />],
  ];
}

/** The HTML of what the protocol has in a line, and of the sections, for pages with a frame of their own. */
export function exploreContent(subject: Subject): { summary: string; sections: string } {
  const summary = rendered(<Summary model={subject.model} />);
  return { summary, sections: rendered(sectionsOf(subject).map(([, , section]) => section)) };
}

/** The text of one HTML file that loads nothing. Its policy allows only its own style and script. */
export function explorePage(subject: Subject, assets: Assets): string {
  const { model } = subject;
  const sections = sectionsOf(subject);
  return framePage(
    {
      command: 'explore',
      title: `${model.name} – Model Context Protocol`,
      header: (
        <>
          <h1>{model.name}</h1>
          <Summary model={model} />
          <form role="search">
            <SearchField label="Search methods and definitions" />
            <p id="found" role="status"></p>
          </form>
          <nav aria-label="Sections">
            <ul>
              {sections.map(([id, title]) => (
                <li>
                  <a href={`#${id}`}>{title}</a>
                </li>
              ))}
            </ul>
          </nav>
        </>
      ),
      main: sections.map(([, , section]) => section),
    },
    assets,
  );
}

function Summary({ model }: { readonly model: Metamodel }) {
  const { definitions, requests, notifications, extension, errata } = model;
  const counts = [
    many(requests.length, 'request'),
    many(notifications.length, 'notification'),
    many(definitions.length, 'definition'),
    ...(errata ? [many(errata.length, 'correction')] : []),
  ];
  return (
    <p>
      {extension && (
        <>
          <code>{extension.id}</code>, an extension of {extension.extends}.{' '}
        </>
      )}
      {counts.join(', ')}.
    </p>
  );
}
