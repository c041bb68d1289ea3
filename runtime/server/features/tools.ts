import { METHODS } from '../../protocol/index.js';
import type { JsonObject } from '../../tasks/index.js';
import { hasOwnTasks } from '../capabilities.js';
import { callTool, type CallParts } from '../call.js';
import type { CallParams } from '../dialects/index.js';
import type { ServerRows } from '../origin.js';
import { createPages } from './pages.js';

export interface ToolParts extends CallParts {
  /** Whether calls become tasks. */
  readonly callsAsTasks: boolean;
  readonly pageSize?: number | undefined;
}

/** `tools/list` and `tools/call`. */
export function toolRows(parts: ToolParts): ServerRows {
  const tools = [...parts.tools.values()];
  const isSession = parts.dialect.name === 'core';
  const plain = createPages(
    tools.map(({ listing }) => listing as unknown as JsonObject),
    parts.pageSize,
  );
  // Only sessions of a revision with tasks read it.
  const withSupport = createPages(
    tools.map(({ listing, taskSupport }) => ({ ...listing, execution: { taskSupport } })),
    parts.pageSize,
  );
  return {
    [METHODS.toolsList]: {
      answer({ cursor }, { revision }) {
        const pages =
          isSession && parts.callsAsTasks && hasOwnTasks(revision.version) ? withSupport : plain;
        return pages.answer('tools', cursor);
      },
    },
    [METHODS.toolsCall]: {
      answer: (params, exchange) => callTool(parts, params as unknown as CallParams, exchange),
    },
  };
}
