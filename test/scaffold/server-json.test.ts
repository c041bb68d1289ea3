import type { ValidateFunction } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readPackageFolder } from '../../generator/read/load/index.js';
import { choose, projectUnits, SERVER } from '../../generator/scaffold/index.js';
import { REGISTRY_SCHEMA, registryRules } from '../support/mcp-registry.js';

/** `server.json` of a new server, as the MCP registry takes it. */

const sources = readPackageFolder(SERVER.folder);

async function filesOf(flags: Record<string, string>, name = '@acme/shop') {
  const choices = choose(SERVER, flags);
  const units = await projectUnits({ template: SERVER, choices, name, sources, runtime: '^1.0.0' });
  const textOf = (path: string): string => units.find((unit) => unit.path === path)?.text ?? '';
  return { json: JSON.parse(textOf('server.json')) as unknown, textOf };
}

const KINDS = [
  { transport: 'stdio', store: 'sqlite' },
  { transport: 'stdio', store: 'memory' },
  { transport: 'stdio', store: 'postgres' },
  { transport: 'http', store: 'sqlite', auth: 'bearer' },
];

/** What the registry asks of each, apart from its schema. */
const Entry = z.strictObject({
  $schema: z.literal(REGISTRY_SCHEMA),
  name: z.string().regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  description: z.string().max(100),
  version: z.string(),
  packages: z
    .tuple([z.looseObject({ registryType: z.literal('oci'), identifier: z.string() })])
    .optional(),
  remotes: z.tuple([z.object({ type: z.literal('streamable-http'), url: z.url() })]).optional(),
});

describe.each(KINDS)('server.json of $transport with $store', (flags) => {
  it('names the package and its image, and is as new as the server', async () => {
    const { json, textOf } = await filesOf(flags);
    const { name, version, packages, remotes } = Entry.parse(json);
    expect(name).toBe('io.github.your-name/shop');
    expect(textOf('Dockerfile')).toContain(`server.name="${name}"`);
    expect(JSON.parse(textOf('package.json'))).toMatchObject({ version });
    expect(packages === undefined).toBe(flags.transport === 'http');
    expect(remotes === undefined).toBe(flags.transport === 'stdio');
    const text = JSON.stringify(packages ?? []);
    expect(text.includes('shop-data:/data')).toBe(
      flags.transport === 'stdio' && flags.store === 'sqlite',
    );
    expect(text.includes('DATABASE_URL')).toBe(flags.store === 'postgres');
  });
});

describe('the schema of the registry', () => {
  let validate: ValidateFunction | undefined;
  beforeAll(async () => {
    validate = await registryRules();
  });

  it.for(KINDS)('accepts server.json of $transport with $store', async (flags, { skip }) => {
    if (!validate) return skip();
    const { json } = await filesOf(flags);
    expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...(json as object), name: 'shop' })).toBe(false);
  });
});
