import { runUntilStopped } from '@mcp-codegen/runtime/server';
import { startServer } from './server.minimal.js';

await runUntilStopped(startServer);
