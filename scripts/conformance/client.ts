import { join } from 'node:path';

import { conformance, type Finding, root } from './suite.js';

/** `test/conformance/client.ts` with every requirement of both revisions on clients. */
export async function* clientConformance(): AsyncGenerator<Finding> {
  const client = join(root, 'test', 'conformance', 'client.ts');
  const command = [process.execPath, '--import', 'tsx', client].join(' ');
  for (const revision of ['2025-11-25', '2026-07-28']) {
    yield conformance(`client, requirements of ${revision}`, [
      'client',
      '--command',
      command,
      '--requirements',
      revision,
    ]);
  }
}
