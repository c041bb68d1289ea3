import { SQLITE_DRIVERS } from '../support/stores.js';
import { describeStore } from './describe.js';
import { logStoreUnderTest, sqliteUnderTest } from './stores.js';

describeStore('the log of docs/stores.md', logStoreUnderTest, 'processes');
for (const { name, driver } of SQLITE_DRIVERS) {
  describeStore(`sqlite (${name})`, sqliteUnderTest(name, driver), 'processes');
}
