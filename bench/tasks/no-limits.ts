import type { TaskLimits } from '../../runtime/tasks/index.js';

/** Limits that never apply in the bench. */
export const NO_LIMITS: Partial<TaskLimits> = {
  livePerOwner: 1e9,
  live: 1e9,
  storedPerOwner: 1e9,
  createsPerSecond: 1e9,
  createBurst: 1e9,
  readsPerSecond: 1e9,
  readBurst: 1e9,
};
