import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ConfigError, readConfig } from '../src/config.js';

function configFile(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'my-mcp-server-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'config.json');
  writeFileSync(file, content);
  return file;
}

/** What has no default. */
const NEEDED = JSON.stringify({
  /** @when bearer */
  auth: {
    resource: 'https://example.com/mcp',
    issuer: 'https://auth.example.com',
    introspection: 'https://auth.example.com/introspect',
    clientId: 'me',
    clientSecret: 'secret',
  },
});

it('has defaults', () => {
  expect(readConfig({ CONFIG: configFile(NEEDED) })).toMatchObject({
    drainMs: 5_000,
    /** @when http */
    port: 3000,
    /** @when sqlite */
    database: 'tasks.db',
  });
});

it('lets the environment come first', () => {
  const file = configFile(JSON.stringify({ ...JSON.parse(NEEDED), drainMs: 1 }));
  expect(readConfig({ CONFIG: file })).toMatchObject({ drainMs: 1 });
  expect(readConfig({ CONFIG: file, DRAIN_MS: '2' })).toMatchObject({ drainMs: 2 });
});

it.each([
  ['a variable', NEEDED, { DRAIN_MS: 'soon' }, /^DRAIN_MS: /],
  ['a setting', '{ "drainMs": -1 }', {}, /config\.json, drainMs: .*\(set by DRAIN_MS\)/],
  ['a setting that there is not', '{ "colour": "red" }', {}, /config\.json.*colour/s],
  ['the file', '{', {}, /config\.json: .*JSON/],
  ['what is in the file', '[]', {}, /config\.json: must be an object/],
])('says what is wrong with %s', (_, content, environment, message) => {
  const read = () => readConfig({ CONFIG: configFile(content), ...environment });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(message);
});

it('says that the file it was told to read is not there', () => {
  expect(() => readConfig({ CONFIG: 'nowhere.json' })).toThrow(/^nowhere\.json: /);
});
