import { report } from '../bench.js';
import { taskBenches } from './index.js';

/**
 * `tsx bench/tasks/main.ts [name…]` runs the benches whose names contain an argument; without arguments,
 * all.
 */
const wanted = process.argv.slice(2);
for (const { name, run } of taskBenches) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
  process.stderr.write(`${name} …\n`);
  process.stdout.write(`${report(await run())}\n\n`);
}
