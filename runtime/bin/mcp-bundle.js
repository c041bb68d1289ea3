#!/usr/bin/env node
import { bundleServer } from '../dist/modules/bundle.js';

const [main, program, ...rest] = process.argv.slice(2);
if (main === undefined || program === undefined || rest.length > 0) {
  console.error(
    'Usage: mcp-bundle <main source> <program>, for example: mcp-bundle src/main.ts dist/main.js',
  );
  process.exit(2);
}
try {
  await bundleServer(main, program);
} catch (error) {
  // esbuild has printed its own errors.
  if (error?.errors === undefined) {
    console.error(error?.name === 'MissingPackageError' ? error.message : error);
  }
  process.exit(1);
}
