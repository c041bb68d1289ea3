import type { Plugin } from 'esbuild';

/**
 * Leaves out Prettier, which json-schema-to-typescript loads to format its output. We format it
 * ourselves. Prettier's entry points, such as `prettier/standalone`, stay.
 */
export const withoutPrettier: Plugin = {
  name: 'without-prettier',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^prettier$/ }, () => ({ path: 'prettier', namespace: 'unused' }));
    bundler.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({
      contents: "export function format() { throw new Error('Prettier is not bundled'); }",
    }));
  },
};
