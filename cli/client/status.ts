import type { TaskStatusHandlers } from '../../runtime/client/index.js';
import type { ProgressLine } from './progress.js';

/** Shows the status that a server announces. Servers need not announce any: `follow.ts` waits for a task by itself. */
export function createStatusHandlers(progress: ProgressLine): TaskStatusHandlers {
  return {
    /** A core task, from servers of revision 2025-11-25. */
    'notifications/tasks/status': (task) => progress.announced(task),
    /** A task of the extension, from servers of revision 2026-07-28. */
    'notifications/tasks': (task) => progress.announced(task),
  };
}
