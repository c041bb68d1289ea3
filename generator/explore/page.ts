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

/** The text of one HTML file that loads nothing. Its policy allows only its own style and script. */
export function explorePage({ model, revisions, diff }: Subject, assets: Assets): string {
  const known = new Set(model.definitions.map(({ name }) => name));
  const matrix = revisions.some(({ name }) => name === model.name)
    ? revisions
    : [...revisions, model];
  const sections = [
    ['methods', 'Methods', methodsSection(model)],
    ...(diff ? [['differences', 'Differences', differencesSection(diff, known)] as const] : []),
    ['tasks', 'Tasks', lifeCycleSection(model)],
    ['capabilities', 'Capabilities', capabilitiesSection(matrix)],
    ['facts', 'Errors', factsSection(model)],
    ['definitions', 'Definitions', definitionsSection(model)],
  ] as const;
  return framePage(
    {
      command: 'explore',
      title: `${model.name} – Model Context Protocol`,
      header: html`<h1>${model.name}</h1>
        <p>${summary(model)}</p>
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
            ${sections.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}
          </ul>
        </nav>`,
      main: html`${sections.map(([, , section]) => section)}`,
    },
    assets,
  );
}

function summary({ definitions, requests, notifications, extension, errata }: Metamodel): Html {
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
