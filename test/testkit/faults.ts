import { DURABLE_FAULTS } from './durable-faults.js';
import { QUERY_FAULTS } from './query-faults.js';
import { RECORD_FAULTS } from './record-faults.js';

export type { Fault } from './fault.js';
export { LEASE_FAULTS } from './durable-faults.js';
export { SHARING_FAULTS } from './sharing-faults.js';

/** Over a store that one process uses. */
export const FAULTS = { ...DURABLE_FAULTS, ...RECORD_FAULTS, ...QUERY_FAULTS };
