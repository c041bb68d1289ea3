import type { ProtocolDiff } from '../diff/index.js';
import type { Metamodel } from '../emit/index.js';
import { framePage, html } from '../page/index.js';
import type { Assets, Html } from '../page/index.js';
import { capabilitiesSection } from './capabilities.js';
import { definitionsSection } from './definitions.js';
import { differencesSection } from './differences.js';
import { factsSection } from './facts.js';
import { lifeCycleSection } from './life-cycle.js';
import { methodsSection } from './methods.js';

/** What a page shows. */
export interface Subject {
  readonly model: Metamodel;
  /** The revisions of the matrix of capabilities; the page's own is added. */
  readonly revisions: readonly Metamodel[];
  readonly diff?: ProtocolDiff;
}

/** A part of the page. Its HTML is a `section` with this id. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
}

/** The parts of the page, for pages that have a frame of their own. */
export function exploreSections({ model, revisions, diff }: Subject): Section[] {
  const known = new Set(model.definitions.map(({ name }) => name));
  const matrix = revisions.some(({ name }) => name === model.name)
    ? revisions
    : [...revisions, model];
  return [
    { id: 'methods', title: 'Methods', content: methodsSection(model) },
    ...(diff
      ? [{ id: 'differences', title: 'Differences', content: differencesSection(diff, known) }]
      : []),
    { id: 'tasks', title: 'Tasks', content: lifeCycleSection(model) },
    { id: 'capabilities', title: 'Capabilities', content: capabilitiesSection(matrix) },
    { id: 'facts', title: 'Errors', content: factsSection(model) },
    { id: 'definitions', title: 'Definitions', content: definitionsSection(model) },
  ];
}

/** The text of one HTML file that loads nothing. Its policy allows only its own style and script. */
export function explorePage(subject: Subject, assets: Assets): string {
  const { model } = subject;
  const sections = exploreSections(subject);
  return framePage(
    {
      command: 'explore',
      title: `${model.name} – Model Context Protocol`,
      header: html`<h1>${model.name}</h1>
        <p>${exploreSummary(model)}</p>
        <form role="search">
          <label for="search">Search methods and definitions</label>
          <input
            id="search"
            type="search"
            autocomplete="off"
            spellcheck="false"
            aria-keyshortcuts="/"
            placeholder="Press / to search"
          />
          <p id="found" role="status"></p>
        </form>
        <nav aria-label="Sections">
          <ul>
            ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
          </ul>
        </nav>`,
      main: html`${sections.map(({ content }) => content)}`,
    },
    assets,
  );
}

/** What the protocol has, in a line. */
export function exploreSummary({
  definitions,
  requests,
  notifications,
  extension,
  errata,
}: Metamodel): Html {
  const counts = [
    many(requests.length, 'request'),
    many(notifications.length, 'notification'),
    many(definitions.length, 'definition'),
    ...(errata ? [many(errata.length, 'correction')] : []),
  ].join(', ');
  return html`${extension && [html`<code>${extension.id}</code>, an extension of ${extension.extends}. `]}${counts}.`;
}

const many = (count: number, name: string): string =>
  `${String(count)} ${name}${count === 1 ? '' : 's'}`;
