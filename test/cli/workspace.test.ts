import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { workspaceOf } from '../../cli/packages.js';

it.each([
  ['{"workspaces":["packages/*"]}', 'packages/shop', '../..'],
  ['{"workspaces":["./packages/*/"]}', 'packages/shop', '../..'],
  ['{"workspaces":{"packages":["shop"]}}', 'shop', '..'],
  ['{"workspaces":["apps/**"]}', 'apps/a/b/shop', '../../../..'],
  ['{"workspaces":["apps/**","!apps/a/**"]}', 'apps/a/shop', undefined],
  ['{"workspaces":["packages/*"]}', 'packages/a/shop', undefined],
  ['{"workspaces":["packages.*"]}', 'packages-shop', undefined],
  ['{"workspaces":"packages/*"}', 'packages/shop', undefined],
  ['{"workspaces":[1, null]}', 'packages/shop', undefined],
  ['{}', 'shop', undefined],
  ['[', 'shop', undefined],
])('with %s above, %s is a member of %s', (text, path, expected) => {
  const above = mkdtempSync(join(tmpdir(), 'mcp-codegen-workspace-'));
  onTestFinished(() => rmSync(above, { recursive: true }));
  writeFileSync(join(above, 'package.json'), text);
  mkdirSync(join(above, path), { recursive: true });
  expect(workspaceOf(join(above, path))).toBe(expected);
});
