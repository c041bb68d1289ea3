import { conformance, type Finding, type LeftOut } from './suite.js';
import { compiled } from '../../test/support/program.js';
import { DIALECT_REVISIONS } from '../../generator/ir/revisions/index.js';

/** Scenarios that are left out. */
const LEFT_OUT: LeftOut = {
  reason:
    'extensions of authorization: the authorization of a client is between the SDK and its user',
  scenarios: [
    'auth/client-credentials-jwt',
    'auth/client-credentials-basic',
    'auth/enterprise-managed-authorization',
    'auth/dpop',
    'auth/dpop-nonce',
    'auth/wif-jwt-bearer',
  ],
};

/** `test/conformance/client.ts` with every requirement of both revisions on clients. */
export async function* clientConformance(): AsyncGenerator<Finding> {
  const client = compiled(new URL('../../test/conformance/client.ts', import.meta.url));
  const command = [process.execPath, client].join(' ');
  for (const revision of Object.values(DIALECT_REVISIONS)) {
    yield conformance(
      `client, requirements of ${revision}`,
      ['client', '--command', command, '--requirements', revision, '--timeout', '120000'],
      LEFT_OUT,
    );
  }
}
