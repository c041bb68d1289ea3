import type { FindingCode } from '../../../contracts/validate/index.js';
import type { Mutations } from './change.js';
import { FEATURES } from './of-features.js';
import { INPUT } from './of-input.js';
import { MESSAGES } from './of-messages.js';
import { WITHOUT_SESSIONS } from './of-stateless.js';
import { OF_TASKS } from './of-tasks.js';

/** A rule without a mutation is an error of the compiler. */
export const MUTATIONS: Readonly<Record<FindingCode, Mutations[string]>> = {
  ...INPUT,
  ...MESSAGES,
  ...FEATURES,
  ...WITHOUT_SESSIONS,
  ...OF_TASKS,
};
