import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../../cli/config/index.js';
import { DiagnosticError } from '../../generator/diagnostics/index.js';
import type { Diagnostic } from '../../generator/diagnostics/index.js';
import { DEFAULT_LIMITS, loadSchema, readIfPresent } from '../../generator/read/load/index.js';
import { parseToolList } from '../../generator/tools/index.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-source-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const SCHEMA = '{\r\n  "$defs": { "Size": { "type": "string", "description": "Größe" } }\r\n}\r\n';
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('a file that a shell or an editor on Windows wrote', () => {
  it.each([
    ['UTF-8', Buffer.from(SCHEMA)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${SCHEMA}`)],
    ['UTF-16, little-endian', utf16(SCHEMA)],
    ['UTF-16, big-endian', utf16(SCHEMA).swap16()],
  ])('is read: %s', async (_, bytes) => {
    const file = join(folder, 'x.json');
    writeFileSync(file, bytes);
    const { document, diagnostics } = await loadSchema(file);
    expect(diagnostics).toEqual([]);
    expect([...document.definitions.keys()]).toEqual(['Size']);
    expect(readIfPresent(file, DEFAULT_LIMITS)?.text).toBe(SCHEMA);
  });
});

const readers: Record<string, (text: string) => unknown> = {
  schema: async (text) => {
    const file = join(folder, 'x.json');
    writeFileSync(file, text);
    return loadSchema(file);
  },
  configuration: (text) => parseConfig(text, 'x.json'),
  tools: (text) => parseToolList(text, 'x.json'),
};

describe.each(Object.entries(readers))('a %s that is not JSON', (_, read) => {
  it.each([
    ['', 'it is empty', 'saved or copied whole'],
    [' \r\n', 'it is empty', 'saved or copied whole'],
    ['<!DOCTYPE html><html>', 'it is a page or XML', 'the address of the file itself'],
    ['{"a": 1, // why\n}', '', 'Remove comments, and commas before'],
    ['{"a": [1, 2,]}', '', 'Remove comments, and commas before'],
    ['type: object', '', 'instead of TypeScript or YAML'],
    ['{"a": "//",\n "b" 1}', 'line 2, column', 'Is it complete'],
  ])('%j', async (text, reason, help) => {
    const problem = async (): Promise<Diagnostic | undefined> => {
      try {
        await read(text);
      } catch (error) {
        if (error instanceof DiagnosticError) return error.diagnostics[0];
      }
      return undefined;
    };
    const found = await problem();
    expect(found?.message).toContain(`is not JSON: ${reason === 'line 2, column' ? '' : reason}`);
    expect(found?.message).toContain(reason);
    expect(found?.help).toContain(help);
  });
});

describe('JSON that is no schema', () => {
  it.each([
    '{"message":"Not Found","status":"404"}',
    '{"openapi":"4.0.0","info":{},"components":{"schemas":{}}}',
    '{"name":"a-package","description":"its own","version":"1.0.0"}',
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  ])('%s is refused', async (text) => {
    const file = join(folder, 'x.json');
    writeFileSync(file, text);
    await expect(loadSchema(file)).rejects.toThrow('The object has no keyword of JSON Schema.');
  });
});
