import { createHash } from 'node:crypto';
import type { ProtocolDiff } from '../diff/index.js';
import type { Metamodel } from '../emit/index.js';
import { capabilitiesSection } from './capabilities.js';
import { definitionsSection } from './definitions.js';
import { differencesSection } from './differences.js';
import { factsSection } from './facts.js';
import { html, raw } from './html.js';
import type { Html } from './html.js';
import { lifeCycleSection } from './life-cycle.js';
import { methodsSection } from './methods.js';

/** What a page shows. */
export interface Subject {
  readonly model: Metamodel;
  /** The revisions of the matrix of capabilities; the page's own is added. */
  readonly revisions: readonly Metamodel[];
  readonly diff?: ProtocolDiff;
}

/** The style and the script, which the page contains. They must not contain `</`. */
export interface Assets {
  readonly style: string;
  readonly script: string;
}

/** Marks our pages, so that a later run may replace them. */
export const GENERATOR = '<meta name="generator" content="mcp-codegen explore">';

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
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy(assets)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        ${raw(GENERATOR)}
        <title>${model.name} – Model Context Protocol</title>
        ${raw(`<style>${assets.style}</style>`)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <h1>${model.name}</h1>
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
          </nav>
        </header>
        <main id="main" tabindex="-1">${sections.map(([, , section]) => section)}</main>
        ${raw(`<script>${assets.script}</script>`)}
      </body>
    </html> `.text;
}

function policy({ style, script }: Assets): string {
  const hash = (text: string): string =>
    `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    `style-src ${hash(style)}`,
    `script-src ${hash(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function summary({ definitions, requests, notifications, extension, errata }: Metamodel): Html {
  const counts = [
    `${String(requests.length)} requests`,
    `${String(notifications.length)} notifications`,
    `${String(definitions.length)} definitions`,
    ...(errata ? [`${String(errata.length)} corrections`] : []),
  ].join(', ');
  return html`${extension && [html`<code>${extension.id}</code>, an extension of ${extension.extends}. `]}${counts}.`;
}
