import { createTaskClient } from '../../runtime/client/index.js';
import { tokenOf } from '../server/tokens.js';

/** A client in its own process: starts a task, prints its reference, and waits to be killed. */
const [url = '', dialect] = process.argv.slice(2);
const tasks = createTaskClient({
  name: 'starter',
  version: '1',
  ...(dialect === 'core' && { revisions: ['2025-11-25'] }),
});
const headers = { authorization: `Bearer ${tokenOf('ann')}` };
await tasks.connect(url, { headers });
const handle = await tasks.start('wait', { ms: 1_000 });
console.log(handle.reference);
await handle.result();
