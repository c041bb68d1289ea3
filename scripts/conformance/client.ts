import { join } from 'node:path';

import { conformance, type Finding, root } from './suite.js';

/**
 * Scenarios beyond the requirements: extensions of authorization, which are between the SDK and its user,
 * and one that needs a copy of a schema.
 */
const UNASKED = [
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/enterprise-managed-authorization',
  'auth/dpop',
  'auth/dpop-nonce',
  'auth/wif-jwt-bearer',
  'json-schema-2020-12-preservation',
];

/** `test/conformance/client.ts` with every requirement of both revisions on clients. */
export async function* clientConformance(): AsyncGenerator<Finding> {
  const client = join(root, 'test', 'conformance', 'client.ts');
  const command = [process.execPath, '--import', 'tsx', client].join(' ');
  for (const revision of ['2025-11-25', '2026-07-28']) {
    yield conformance(
      `client, requirements of ${revision}`,
      ['client', '--command', command, '--requirements', revision],
      UNASKED,
    );
  }
}
