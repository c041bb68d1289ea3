import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { root } from '../docs/snippets.js';
import { REGISTRY_SCHEMA, registryRules } from '../support/mcp-registry.js';

/** `server.json` of an example, as the registry of MCP servers takes it. */

const FOLDER = 'examples/long-job';
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

const Manifest = z.looseObject({ name: z.string(), version: z.string(), mcpName: z.string() });
const tool = z.object({ repository: z.object({ url: z.string() }) }).parse(read('package.json'));

/** What the registry asks of an entry with a package of npm, in its schema and beside it. */
const Entry = z.strictObject({
  $schema: z.literal(REGISTRY_SCHEMA),
  // One slash, after a namespace in the order of domains: that of a user or organization of GitHub.
  name: z.string().regex(/^io\.github\.[a-zA-Z0-9-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  repository: z.strictObject({
    url: z.url(),
    source: z.literal('github'),
    subfolder: z.literal(FOLDER),
  }),
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string(),
      version: z.string().regex(/^\d+\.\d+\.\d+$/),
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('streamable-http'), url: z.string() }),
      environmentVariables: z.array(
        z.strictObject({
          name: z.string(),
          description: z.string(),
          format: z.enum(['string', 'number', 'boolean', 'filepath']),
          default: z.string(),
        }),
      ),
    }),
  ]),
});

const json = read(`${FOLDER}/server.json`);
const entry = Entry.parse(json);

describe('server.json of the example', () => {
  const manifest = Manifest.parse(read(`${FOLDER}/package.json`));
  const [npm] = entry.packages;
  const program = readFileSync(join(root, FOLDER, 'src/main.ts'), 'utf8');

  it('names the package, which names the entry', () => {
    expect(npm.identifier).toBe(manifest.name);
    expect(npm.version).toBe(manifest.version);
    expect(entry.version).toBe(manifest.version);
    expect(program).toContain(`version: '${entry.version}'`);
    expect(entry.name).toBe(manifest.mcpName);
  });

  it('names this repository, in the namespace of its owner', () => {
    expect(`git+${entry.repository.url}.git`).toBe(tool.repository.url);
    const [, owner = ''] = /github\.com\/([^/]+)\//.exec(entry.repository.url) ?? [];
    expect(entry.name.startsWith(`io.github.${owner}/`)).toBe(true);
  });

  it('uses variables that it declares, and the program reads', () => {
    const declared = npm.environmentVariables.map(({ name }) => name);
    const used = [...npm.transport.url.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    for (const name of used) expect(declared).toContain(name);
    const ofTransport = ['PORT'];
    for (const name of declared.filter((each) => !ofTransport.includes(each))) {
      expect(program).toContain(`${name}: `);
    }
  });

  it('fits the schema of the registry', async ({ skip }) => {
    const validate = await registryRules();
    if (!validate) return skip();
    expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...entry, name: 'films' })).toBe(false);
  });
});
