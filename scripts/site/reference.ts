import { diffProtocols } from '../../generator/diff/index.js';
import type { ProtocolDiff } from '../../generator/diff/index.js';
import { metamodelOf } from '../../generator/emit/index.js';
import { REVISIONS } from '../../generator/ir/revisions/index.js';
import { exploreContent } from '../../pages/index.js';
import type { Subject } from '../../pages/index.js';
import { readProtocol } from '../../generator/protocol/protocol.js';
import { referencePath } from './reference-path.js';

/** A revision, with what `explore` shows of it. */
interface Chapter extends Subject {
  /** The methods and definitions, as `explore` addresses them: `type/Tool`, `method/tools%2Fcall`. */
  readonly places: ReadonlySet<string>;
  /** The HTML of a line about it, and of all sections. */
  readonly summary: string;
  readonly text: string;
}

/** The page of each revision, and the page that lists them, by their paths on the site. */
export async function referencePages(
  revisions: readonly string[] = REVISIONS,
): Promise<Map<string, string>> {
  const chapters = await readChapters(revisions);
  const pages = chapters.map(
    (each) => [`${referencePath(each.model.name)}.md`, pageOf(each, chapters)] as const,
  );
  return new Map([['reference/index.md', indexOf(chapters)], ...pages]);
}

async function readChapters(revisions: readonly string[]): Promise<Chapter[]> {
  const read = await Promise.all(revisions.map((each) => readProtocol(each)));
  const protocols = read.map(({ protocol }) => protocol);
  const models = protocols.map(metamodelOf);
  return protocols.map((protocol, index) => {
    // An extension has no revision before it.
    const before = protocol.extension
      ? undefined
      : protocols.slice(0, index).findLast(({ extension }) => !extension);
    const subject = {
      model: metamodelOf(protocol),
      revisions: models,
      ...(before && { diff: diffProtocols(before, protocol) }),
    };
    const { summary, sections: text } = exploreContent(subject);
    const places = [...text.matchAll(ITEM)].flatMap(([, place]) => place ?? []);
    return { ...subject, summary, text, places: new Set(places) };
  });
}

function indexOf(chapters: readonly Chapter[]): string {
  const rows = chapters.map(({ model, diff }) => {
    const { name, requests, notifications, definitions } = model;
    return `| [${name}](./${name}.md) | ${[requests, notifications, definitions].map(({ length }) => length).join(' | ')} | ${diff ? `[since ${diff.before}](./${name}.md#differences)` : ''} |`;
  });
  return `# The protocol

The methods and definitions of each revision, and what changed since the revision before. The texts are those of
[our schemas](../schema/index.md); \`mcp-codegen explore\` makes [the same page](../docs/exploring.md) of any schema.

| revision | requests | notifications | definitions | changes |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function pageOf(chapter: Chapter, chapters: readonly Chapter[]): string {
  const { model } = chapter;
  const text = chapter.text
    .replace(ITEM, (_, place: string | undefined, level: string, label: string, badges: string) =>
      item({ place, level, label, badges }, notes(place, chapter, chapters)),
    )
    .replace(SECTION, (_, id: string, level: string, title: string) => {
      const anchor = anchorOf(id, title);
      return `<section><h${level} id="${id}" tabindex="-1">${title}${anchor}</h${level}>`;
    })
    // The ids of fields, which have no heading.
    .replace(/ id="(type\/[^"]+)"/g, (_, id: string) => ` id="${decodeURIComponent(id)}"`);
  const links = chapters.map(({ model: { name } }) =>
    name === model.name ? `<strong>${name}</strong>` : `<a href="./${name}">${name}</a>`,
  );
  const shown = `${chapter.summary}<p>Revisions: ${links.join(', ')}.</p>`;
  return `---\noutline: deep\n---\n\n# MCP ${model.name}\n\n<div class="reference" v-pre>${inline(shown + text)}</div>\n`;
}

/** A blank line would end the block of HTML in Markdown. */
const inline = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');

/** The beginning of a section of a page of `explore`. */
const SECTION = /<section id="([^"]+)"[^>]*>\s*<h([2])[^>]*>([^]*?)<\/h\2>/g;

/** The beginning of an item of a page of `explore`. A method's second item has no place of its own. */
const ITEM =
  /<article class="item"\s*(?:id="([^"]+)")?\s*>\s*<h([34])><a href="[^"]*">([^]*?)<\/a>([^]*?)<\/h\2>/g;

interface Item {
  readonly place: string | undefined;
  readonly level: string;
  readonly label: string;
  readonly badges: string;
}

/**
 * The site's own heading of an item: with the id that the scripts of the site look for, which is decoded, and with the
 * link by which its search finds headings.
 */
function item({ place, level, label, badges }: Item, notes: string): string {
  const id = place === undefined ? '' : ` id="${decodeURIComponent(place)}" tabindex="-1"`;
  const anchor = place === undefined ? '' : anchorOf(place, label);
  return `<article class="item"><h${level}${id}>${label}${badges}${anchor}</h${level}>${notes}`;
}

function anchorOf(place: string, label: string): string {
  const name = label.replaceAll(/<[^>]*>/g, '').trim();
  return `<a class="header-anchor" href="#${place}" aria-label="Permalink to “${name}”">&#8203;</a>`;
}

/** What changed here, and the revisions that have the same item: the switch from one to another. */
function notes(
  place: string | undefined,
  { model, diff }: Chapter,
  chapters: readonly Chapter[],
): string {
  if (place === undefined) return '';
  const others = chapters.filter((each) => each.model !== model && each.places.has(place));
  const links = others.map(({ model: { name } }) => `<a href="./${name}#${place}">${name}</a>`);
  const news = diff && changeOf(place, diff);
  const parts = [
    ...(news ? [`<a href="#differences">${news}</a>.`] : []),
    ...(links.length > 0 ? [`Also in ${links.join(', ')}.`] : []),
  ];
  return parts.length === 0 ? '' : `<p class="revisions">${parts.join(' ')}</p>`;
}

function changeOf(
  place: string,
  { before, definitions, methods }: ProtocolDiff,
): string | undefined {
  const [kind = '', ...rest] = decodeURIComponent(place).split('/');
  const name = rest.join('/');
  const [added, changed] =
    kind === 'type'
      ? [definitions.added, definitions.changed.map((each) => each.name)]
      : [methods.added, methods.changed].map((all) => all.map(({ method }) => method));
  if (added?.includes(name)) return `New since ${before}`;
  return changed?.includes(name) ? `Changed since ${before}` : undefined;
}
