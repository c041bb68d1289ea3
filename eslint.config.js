import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const SYNTAX = [
  { selector: 'ExportDefaultDeclaration', message: 'Use a named export.' },
  { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' },
];

export default defineConfig(
  {
    ignores: [
      'dist',
      'runtime/dist',
      'generated',
      'coverage',
      '.cache',
      'examples/*/dist',
      'templates/*/node_modules',
      'test/golden',
      'test/scaffold/old-projects',
    ],
  },
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.config.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, varsIgnorePattern: '^_+$', argsIgnorePattern: '^_+$' },
      ],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'no-restricted-syntax': ['error', ...SYNTAX],
      eqeqeq: 'error',
    },
  },
  {
    files: [
      ...['*.config.ts', '*.config.js', '{examples,scripts,templates}/*/*.config.{js,ts}'],
      ...['scripts/site/.vitepress/config.ts', 'scripts/site/.vitepress/theme/index.ts'],
    ],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['**/*.{js,mjs}'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { console: false, process: false, URL: false } },
  },
);
