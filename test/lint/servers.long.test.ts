import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampled } from '../support/size.js';
import { hasRegistry, lintPackage, type Package, rulesOf } from './servers.js';

/**
 * Servers that people use in all hosts. What is known to work must not be refused: each refusal here is known to happen.
 * Claude Desktop refuses outputs of draft-07, VS Code arrays without items, and llama.cpp patterns without anchors.
 */
const SERVERS = JSON.parse(
  readFileSync(new URL('servers.json', import.meta.url), 'utf8'),
) as readonly Package[];
const KNOWN =
  /^(?:claude-desktop\/draft|(?:vscode|openai)\/array-without-items|llama\.cpp\/pattern)$/;

const isConnected = await hasRegistry();
if (!isConnected) console.warn('Servers are not tried: npm has no connection to its registry.');

describe.skipIf(!isConnected)('servers that people use', () => {
  it.each(sampled(SERVERS, 6).map((server) => [server.name, server] as const))(
    '%s is refused only where that is known',
    async (_, server) => {
      const root = mkdtempSync(join(tmpdir(), 'mcp-codegen-servers-'));
      try {
        const linted = await lintPackage(server, root);
        expect(linted.tools).toBeGreaterThan(0);
        expect(rulesOf(linted)).toEqual(server.expected);
        const refused = linted.findings.filter(({ effect }) =>
          /^(?:breaks-all|drops)$/.test(effect),
        );
        expect(refused.filter(({ rule }) => !KNOWN.test(rule))).toEqual([]);
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    },
    300_000,
  );
});
