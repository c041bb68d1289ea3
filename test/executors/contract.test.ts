import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { describeExecutor, LEASE_MS } from './contract.js';
import { MinimalExecutor } from './minimal.js';

describeExecutor('in-process', () => createInProcessExecutor({ leaseMs: LEASE_MS }));
describeExecutor('minimal', () => new MinimalExecutor(LEASE_MS));
