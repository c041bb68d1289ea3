import type { Host } from '../rule.js';
import { report, tracker } from './evidence.js';

const VSCODE = 'https://github.com/microsoft/vscode';

export const vscode: Host = {
  id: 'vscode',
  name: 'VS Code',
  rules: [
    {
      check: 'array-without-items',
      effect: 'drops',
      says: 'The tool is not validated, and cannot be called.',
      evidence: [
        tracker(`${VSCODE}/issues/246119`, '2025-04-08'),
        tracker(`${VSCODE}/issues/248810`, '2025-05-13'),
        report('https://github.com/DeusData/codebase-memory-mcp/pull/75', '2026-03-20'),
      ],
    },
  ],
};
