import type { PartModule } from './tool-text.js';

/** The source of a resource that the user then changes. */
export function resourceText(name: string, local: string): string {
  return `import { defineResource } from '@mcp-codegen/runtime/server';

export const ${local} = defineResource({
  uri: '${uriOf(name)}',
  name: '${name}',
  description: 'A text that clients can read.',
  mimeType: 'text/plain',
  read: () => ({ text: 'Hello' }),
});
`;
}

/** Its test, which needs nothing else of the project. */
export function resourceTestText(name: string, { local, file }: PartModule): string {
  return `import { defineServer } from '@mcp-codegen/runtime/server';
import { startTestServer } from '@mcp-codegen/runtime/testing';
import { expect, it, onTestFinished } from 'vitest';
import { ${local} } from '../src/resources/${file}.js';

const server = defineServer({
  name: 'test',
  version: '1.0.0',
  tools: [],
  resources: [${local}],
});

it('the resource ${name} is a text', async () => {
  const app = await startTestServer(server);
  onTestFinished(() => app.close());
  for (const way of app.ways) {
    const { contents } = await (await app.client(way)).read('${uriOf(name)}');
    expect(contents, way).toMatchObject([{ text: 'Hello' }]);
  }
});
`;
}

function uriOf(name: string): string {
  return `app://resources/${name}`;
}
