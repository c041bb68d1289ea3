export { executorChecks, type ExecutorCheck, type ExecutorUnderTest } from './executor-checks.js';
export { NO_CAPS, sampleTask } from './sample.js';
export { storeChecks } from './store-checks.js';
export { runStoreProcess } from './store-process.js';
export type {
  DurableStore,
  Mend,
  NotTried,
  SharedStore,
  StoreCheck,
  StoreProcess,
  StoreUnderTest,
} from './store-under-test.js';
