import type { StatusCounts } from '../tasks/index.js';

export const NONE: StatusCounts = {
  working: 0,
  input_required: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
};
