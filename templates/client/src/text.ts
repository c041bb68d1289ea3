import type { ContentBlock } from '@mcp-codegen/runtime/2025-11-25';
import type { ToolResult } from '@mcp-codegen/runtime/client';

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
  return text.replace(/\/\/[^\s/?#]*@/g, '//…@').replace(/^[^\s/?#]*:[^\s/?#]*@/, '…@');
}

/** JSON that a terminal can show: what it would act on is escaped, which JSON means the same by. */
export function shownJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/[^\P{C}\n]|[\u2028\u2029]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** A stranger's text on one line, cut to a length. */
export function line(text: string, length = 200): string {
  const single = plain(text).replace(/[\n\t]+/g, ' ');
  return single.length > length ? `${single.slice(0, length - 1)}…` : single;
}

/** A result for people: what it says, else the data. */
export function resultText({ content, structuredContent }: ToolResult): string {
  const blocks = content.map(blockText).filter((text) => text !== '');
  if (blocks.length > 0) return `${plain(blocks.join('\n'))}\n`;
  return structuredContent === undefined
    ? ''
    : `${plain(JSON.stringify(structuredContent, null, 2))}\n`;
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}: ${block.mimeType}, ${String(Math.floor((block.data.length * 3) / 4))} bytes]`;
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[resource: ${block.resource.uri}]`;
  }
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
