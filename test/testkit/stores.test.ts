import { SQLITE_DRIVERS } from '../support/stores.js';
import { describeStore } from './describe.js';
import {
  logStoreUnderTest,
  memoryUnderTest,
  sharedMemoryUnderTest,
  sqliteUnderTest,
} from './stores.js';

describeStore('memory', memoryUnderTest, 'no processes');
describeStore('memory that engines share', sharedMemoryUnderTest, 'no processes');
describeStore('the log of docs/stores.md', logStoreUnderTest, 'no processes');
for (const { name, driver } of SQLITE_DRIVERS) {
  describeStore(`sqlite (${name})`, sqliteUnderTest(name, driver), 'no processes');
}
