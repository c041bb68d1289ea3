import type { TaskStatus } from './record.js';

/** How many tasks have each status, by `workStatus`: a task whose tool returned an error counts as failed. */
export type StatusCounts = Readonly<Record<TaskStatus, number>>;

export const NO_COUNTS: StatusCounts = {
  working: 0,
  input_required: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
};
