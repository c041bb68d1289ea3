import type { TaskStatusHandlers } from '@mcp-codegen/runtime/client';
import type { ProgressLine } from './progress.js';

/**
 * What this client does when a server announces the status of a task. Servers need not announce
 * anything: `follow.ts` waits for a task whether its server does or not.
 */
export function createStatusHandlers(progress: ProgressLine): TaskStatusHandlers {
  return {
    /** A core task, from servers of revision 2025-11-25. */
    'notifications/tasks/status': (task) => progress.announced(task),
    /**
     * A task of the extension, from servers of revision 2026-07-28, with its `result`, `error` or
     * `inputRequests` where its status has them.
     *
     * @when tasks-extension
     */
    'notifications/tasks': (task) => progress.announced(task),
  };
}
