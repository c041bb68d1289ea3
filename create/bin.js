#!/usr/bin/env node
// `npm create mcp-codegen server my-server` runs `mcp-codegen new server my-server`.
process.argv.splice(2, 0, 'new');
await import(new URL('dist/cli/bin.js', import.meta.resolve('mcp-codegen/package.json')).href);
