import { availableParallelism } from 'node:os';

import { conformance, type Finding, scenariosOf } from './suite.js';
import { commandOf, sayThrough, type Through } from './through.js';
import { compiled } from '../../test/support/program.js';
import { DIALECT_REVISIONS } from '../../generator/ir/revisions/index.js';

/** Extensions of authorization: the authorization of a client is between the SDK and its user. */
const LEFT_OUT = [
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/enterprise-managed-authorization',
  'auth/dpop',
  'auth/dpop-nonce',
  'auth/wif-jwt-bearer',
];

/** `test/conformance/client.ts` with every requirement of both revisions on clients. */
export async function* clientConformance(through: Through): AsyncGenerator<Finding> {
  const client = compiled(new URL('../../test/conformance/client.ts', import.meta.url));
  for (const revision of Object.values(DIALECT_REVISIONS)) {
    const all = await scenariosOf('client', revision);
    yield conformance({
      what: `client, requirements of ${revision}, without extensions of authorization${sayThrough(through)}`,
      side: 'client',
      of: ['--command', [process.execPath, client, ...(commandOf(through) ?? [])].join(' ')],
      names: all.filter((name) => !LEFT_OUT.includes(name)),
      revision,
      atATime: availableParallelism(),
    });
  }
}
