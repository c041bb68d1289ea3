import { openSqliteStore } from '../../runtime/stores/index.js';
import { libsqlDriver, nodeDriver } from '../../runtime/stores/sqlite/driver.js';
import { runStoreProcess } from '../../runtime/testing/testkit/index.js';

await runStoreProcess((argument) => {
  const { file, name } = JSON.parse(argument) as { file: string; name: string };
  const driver = name === 'libsql' ? libsqlDriver() : nodeDriver();
  return openSqliteStore({ file, ...(driver && { driver }) });
});
