import type { ContentBlock } from '../../runtime/client/index.js';
import { matchesBase64 } from '../../generated/support/byte.js';
import type { ToolResult } from '../../runtime/client/index.js';
import type { ClientIo } from './io.js';

/**
 * Text from a server with its invisible characters escaped, because a terminal acts on some, and two
 * names can differ in nothing else. Line ends and tabs stay.
 */
export function plain(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, (character) =>
      [...character].map((each) => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`).join(''),
    );
}

/** A text without the user name and password of an address in it. */
export function withoutPasswords(text: string): string {
  const masked = text.replace(/\/\/[^\s/?#]*@/g, '//…@');
  // Without a scheme: `ann:secret@host`. Each part is searched once, because a stranger may write megabytes.
  const [first = ''] = /^[^\s/?#]*/.exec(masked) ?? [];
  const at = first.lastIndexOf('@');
  const colon = first.indexOf(':');
  return colon >= 0 && colon < at ? `…${masked.slice(at)}` : masked;
}

/** A stranger's text on one line, cut to a length. */
export function line(text: string, length = 200): string {
  const single = plain(text).replace(/[\n\t]+/g, ' ');
  return single.length > length ? `${single.slice(0, length - 1)}…` : single;
}

/** A result for users: its content, else its structured content. `saved` has the paths of its files. */
export function resultText(
  { content, structuredContent }: ToolResult,
  saved: ReadonlyMap<object, string> = new Map(),
): string {
  const blocks = content.map((block) => blockText(block, saved)).filter((text) => text !== '');
  if (blocks.length > 0) return `${plain(blocks.join('\n'))}\n`;
  return structuredContent === undefined
    ? ''
    : `${plain(JSON.stringify(structuredContent, null, 2))}\n`;
}

/** What a block says: its text, or a line in its place. */
export function blockText(
  block: ContentBlock,
  saved: ReadonlyMap<object, string> = new Map(),
): string {
  const path = saved.get(block);
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return placeholder(`${block.type}: ${block.mimeType}`, block.data, path);
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
    case 'resource': {
      const { resource } = block;
      if (!('text' in resource)) {
        return placeholder(`file: ${resource.uri}`, resource.blob, path);
      }
      return path === undefined ? resource.text : `[file: ${resource.uri}, saved as ${path}]`;
    }
  }
}

/** For data in base64. */
function placeholder(what: string, data: string, path: string | undefined): string {
  if (!matchesBase64(data)) return `[${what}, data that is not base64]`;
  const size = `${Buffer.byteLength(data, 'base64')} bytes`;
  return `[${what}, ${size}, ${path === undefined ? 'to save it: --save <folder>' : `saved as ${path}`}]`;
}

/** The base64 data of a block. */
export function encodedIn(block: ContentBlock): string | undefined {
  if (block.type === 'image' || block.type === 'audio') return block.data;
  return block.type === 'resource' && 'blob' in block.resource ? block.resource.blob : undefined;
}

/** The most characters that a column is padded to. */
const WIDEST = 80;
/** The last column stands below the others where it would be narrower than this. */
const NARROWEST = 24;

/** Rows in columns. On a terminal, cells are wrapped so that a row fits its width; no cell is cut. */
export function table(
  rows: readonly (readonly string[])[],
  { out }: Pick<ClientIo, 'out'>,
): string {
  const width = out.canRedraw ? out.width : Infinity;
  const share = width / (rows[0]?.length ?? 1);
  const cells = rows.map((row) => {
    const lines = row.map((cell) => line(cell, Infinity));
    return {
      first: lines.slice(0, -1).map((cell) => wrapped(cell, share)),
      last: lines.at(-1) ?? '',
    };
  });
  const widths = (cells[0]?.first ?? []).map((_, at) =>
    Math.min(WIDEST, longest(cells.flatMap(({ first }) => first[at] ?? []))),
  );
  const rest = widths.reduce((left, each) => left - each - 2, width);
  return cells
    .map(({ first, last }) =>
      rest < NARROWEST
        ? rowText(first, widths) + (last && rowText([[''], wrapped(last, width - 4)], [2]))
        : rowText([...first, wrapped(last, rest)], widths),
    )
    .join('');
}

/** Of any number of lines, which may be more than a call can have arguments. */
function longest(lines: readonly string[]): number {
  return lines.reduce((most, { length }) => Math.max(most, length), 0);
}

function rowText(cells: readonly (readonly string[])[], widths: readonly number[]): string {
  const height = Math.max(...cells.map(({ length }) => length));
  const lines = Array.from({ length: height }, (_, index) =>
    cells
      .map((cell, at) => (cell[index] ?? '').padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** Lines of whole words. A longer word, such as a URL, has a line of its own. */
function wrapped(text: string, width: number): string[] {
  if (text.length <= width) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
