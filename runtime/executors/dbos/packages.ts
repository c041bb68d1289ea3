import type * as Dbos from '@dbos-inc/dbos-sdk';
import type * as Pg from 'pg';

import { missing } from '../../optional.js';

/** The package `@dbos-inc/dbos-sdk`, after `loadPackages`. */
export let dbos: typeof Dbos;
/** The package `pg`, after `loadPackages`. */
export let pg: typeof Pg;

const USED_BY = 'The DBOS executor';

/** Every entry of the executor calls it before it uses a package. @throws {MissingPackageError} */
export async function loadPackages(): Promise<void> {
  dbos = await import('@dbos-inc/dbos-sdk').catch(missing('@dbos-inc/dbos-sdk', USED_BY));
  pg = await import('pg').catch(missing('pg', USED_BY));
}
