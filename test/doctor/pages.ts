import { readFileSync } from 'node:fs';
import type { Examination } from '../../contracts/doctor/index.js';
import { withPolicy } from '../../pages/index.js';
import { ADD, examined, TEXT } from './server.js';

export const ASSETS = withPolicy({
  style: readFileSync(new URL('../../dist/pages/doctor.css', import.meta.url), 'utf8'),
});

const HOSTILE = '</pre><script>globalThis.broken = true</script><img src=x onerror=broken()>\u202e';

/** A server whose every text is hostile, and which breaks many rules. */
export async function hostile(): Promise<Examination> {
  return await examined({
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {}, logging: {} },
      serverInfo: { name: HOSTILE, version: HOSTILE },
      instructions: HOSTILE,
    }),
    'tools/list': () => ({
      tools: [ADD, { ...ADD, name: HOSTILE, description: HOSTILE, inputSchema: { oneOf: [] } }],
    }),
    'tools/call': () => ({ ...TEXT, _meta: HOSTILE }),
  });
}
