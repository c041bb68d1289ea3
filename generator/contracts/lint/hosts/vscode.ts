import type { Host } from '../rule.js';

const READ = '2026-11-25';

export const vscode: Host = {
  id: 'vscode',
  name: 'VS Code',
  rules: [
    {
      check: 'array-without-items',
      effect: 'drops',
      says: 'The tool is not validated, and cannot be called.',
      source: 'https://github.com/microsoft/vscode/issues/246119',
      read: READ,
    },
    {
      check: 'object-without-properties',
      effect: 'breaks-all',
      says: 'With models of OpenAI the whole request is refused.',
      source: 'https://github.com/posit-dev/mcptools/issues/89',
      read: READ,
    },
    {
      check: 'tool-count',
      most: 128,
      effect: 'misreads',
      says: 'A request has at most 128 tools, those of other servers included.',
      source: 'https://www.mcpbundles.com/guides/how-many-tools',
      read: READ,
    },
  ],
};
