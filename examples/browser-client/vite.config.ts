import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Vite's development server does not find the worker of a package that it has bundled beforehand.
  optimizeDeps: { exclude: ['@mcp-codegen/runtime'] },
  test: { testTimeout: 60_000, hookTimeout: 60_000 },
});
