import type { Features, Slot } from './template.js';

const FILES = `import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
`;
const ANSWER = `, {
      // The answer to "Which room?"
      answer: { form: () => ({ action: 'accept', content: { room: 'Tower' } }) },
    }`;
const BOOKING = `
  it('book-room asks the user for the room', async () => {
    for (const [way, { content }] of await app.callEachWay('book-room', { date: '2026-12-24' })) {
      expect(content, way).toMatchObject([{ text: 'Tower is booked on 2026-12-24.' }]);
    }
  });
`;
const FORGED = `    await expect(program.connect({ token: 'forged' })).rejects.toThrow('invalid_token');
`;
const HEALTH = `    const health = await fetch(new URL('/health', program.url));
    expect(await health.json()).toMatchObject({ status: 'ok' });
`;
const ISSUER = `    const issuer = await startIssuer();
    onTestFinished(() => issuer.close());
`;
const FOLDER = `    const folder = mkdtempSync(join(tmpdir(), 'my-mcp-server-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
`;
const POSTGRES = `    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
`;

/** What differs in the test of a server. */
export const SERVER_TEST: readonly Slot[] = [
  inTest((features) => (features.has('sqlite') ? FILES : '')),
  inTest(importOf),
  inTest((features) => `startTestServer(server${features.has('forms') ? ANSWER : ''});`),
  inTest((features) => (features.has('forms') ? BOOKING : '')),
  inTest(programOf),
  inTest(
    (features) => `connect(${features.has('authorized') ? '{ token: issuer.token() }' : ''});`,
  ),
  inTest((features) => (features.has('authorized') ? FORGED : '')),
  inTest((features) => (features.has('http') ? HEALTH : '')),
];

function inTest(text: Slot['text']): Slot {
  return { file: 'test/server.test.ts', text };
}

function importOf(features: Features): string {
  const names = [
    ...(features.has('authorized') ? ['startIssuer'] : []),
    ...(features.has('postgres') ? ['startPostgres'] : []),
    'startProgram',
    'startTestServer',
  ];
  return `import { ${names.join(', ')} } from '@mcp-codegen/runtime/testing';`;
}

/** The start of the program, with what it needs. */
function programOf(features: Features): string {
  const needed = [
    ...(features.has('authorized') ? [ISSUER] : []),
    ...(features.has('sqlite') ? [FOLDER] : []),
    ...(features.has('postgres') ? [POSTGRES] : []),
  ];
  const settings = [
    ...(features.has('authorized') ? ['...issuer.environment'] : []),
    ...(features.has('sqlite') ? [`DATABASE: join(folder, 'tasks.db')`] : []),
    ...(features.has('postgres') ? ['DATABASE_URL: await postgres.newDatabase()'] : []),
  ];
  const environment =
    settings.length === 0
      ? ''
      : `, {
      environment: { ${settings.join(', ')} },
    }`;
  return `${needed.join('')}    const program = await startProgram(new URL('../src/main.ts', import.meta.url)${environment});
`;
}
