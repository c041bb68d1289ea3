// log-store.process.ts
import { runStoreProcess } from '@mcp-codegen/runtime/testkit';

import { openLogStore } from './log-store.js';

await runStoreProcess((folder) => openLogStore(folder));
