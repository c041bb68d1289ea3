import { BROWSER_TOOLS } from './browsers.js';
import { OPERATIONS_TOOLS } from './operations.js';
import { DATABASE_TOOLS } from './databases.js';
import { FILE_TOOLS } from './files.js';
import { ISSUE_TOOLS } from './issues.js';
import { BUSINESS_TOOLS } from './business.js';
import type { ToolSchema } from './schema.js';

export type { Schema, ToolSchema } from './schema.js';

/** Tools of the kinds and sizes that public servers list, drawn up for this benchmark. */
export const TOOLS: readonly ToolSchema[] = [
  ...ISSUE_TOOLS,
  ...FILE_TOOLS,
  ...DATABASE_TOOLS,
  ...BROWSER_TOOLS,
  ...BUSINESS_TOOLS,
  ...OPERATIONS_TOOLS,
];
