import type { ContentBlock } from '@modelcontextprotocol/client';
import { matchesBase64 } from '../../generated/support/byte.js';
import type { ToolResult } from '../../runtime/client/index.js';

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
      return placeholder(`${block.type}: ${block.mimeType}, ${sizeOf(block.data)}`, path);
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
    case 'resource': {
      const { resource } = block;
      if (!('text' in resource)) {
        return placeholder(`file: ${resource.uri}, ${sizeOf(resource.blob)}`, path);
      }
      return path === undefined ? resource.text : placeholder(`file: ${resource.uri}`, path);
    }
  }
}

function placeholder(what: string, path: string | undefined): string {
  return `[${what}, ${path === undefined ? 'to save it: --save <folder>' : `saved as ${path}`}]`;
}

/** The base64 data of a block. */
export function encodedIn(block: ContentBlock): string | undefined {
  if (block.type === 'image' || block.type === 'audio') return block.data;
  return block.type === 'resource' && 'blob' in block.resource ? block.resource.blob : undefined;
}

/** The size of data in base64. */
function sizeOf(data: string): string {
  if (!matchesBase64(data)) return 'data that is not base64';
  return `${Buffer.byteLength(data, 'base64')} bytes`;
}

/** Rows in columns as wide as they need to be. */
export function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => line(cell, 80)));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
