import { defineConfig } from 'vitest/config';

// Without it, vitest takes the configuration of a folder above.
export default defineConfig({ test: { testTimeout: 60_000, hookTimeout: 60_000 } });
