import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { readPackageFolder } from '../../generator/read/load/index.js';
import { choose, projectUnits, SERVER } from '../../generator/scaffold/index.js';

const sources = readPackageFolder(SERVER.folder);

/** What Kubernetes and Docker Compose take, as far as names are in it. */
const Label = z.string().regex(/^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/);
const Manifest = z.looseObject({
  metadata: z.looseObject({ name: Label }),
  spec: z
    .looseObject({
      selector: z.looseObject({ app: Label.optional() }).optional(),
      template: z
        .looseObject({ metadata: z.looseObject({ labels: z.looseObject({ app: Label }) }) })
        .optional(),
    })
    .optional(),
});
const Compose = z.looseObject({ 'x-node': z.looseObject({ image: Label }) });

it.each([
  ['shop', 'shop'],
  ['my_shop.v2', 'my-shop-v2'],
  ['@acme/2048', 'mcp-2048'],
  ['1e3', 'mcp-1e3'],
  ['null', 'mcp-null'],
  ['-x-', 'x'],
  ['~', 'mcp-server'],
  [`${'a'.repeat(49)}.b`, 'a'.repeat(49)],
])('the package %s is deployed as %s', async (name, deployed) => {
  const choices = choose(SERVER, { transport: 'http', store: 'postgres' });
  const units = await projectUnits({ template: SERVER, choices, name, sources, runtime: '^1.0.0' });
  const textOf = (path: string): string => units.find((unit) => unit.path === path)?.text ?? '';
  const manifests = parseAllDocuments(textOf('deploy/kubernetes.yaml')).map((each) =>
    Manifest.parse(each.toJS()),
  );
  expect(manifests[0]?.metadata.name).toBe(deployed);
  expect(Compose.parse(parse(textOf('compose.yaml')))['x-node'].image).toBe(deployed);
});
