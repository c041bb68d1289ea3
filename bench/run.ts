import { report } from './bench.js';
import type { Bench } from './bench.js';

/** `npm run bench`, or `npm run bench -- --only <name>`. Each bench is loaded on demand. */
const BENCHES: Readonly<Record<string, () => Promise<readonly Bench[]>>> = {
  generate: async () => [(await import('./generate/index.js')).generate],
  validate: async () => (await import('./validate/index.js')).validateBenches,
  tasks: async () => (await import('./tasks/index.js')).taskBenches,
  server: async () => (await import('./server/index.js')).serverBenches,
  client: async () => (await import('./client/index.js')).clientBenches,
};

const [flag, only] = process.argv.slice(2);
const names = Object.keys(BENCHES);
if ((flag !== undefined && flag !== '--only') || (flag && !names.includes(only ?? ''))) {
  console.error(`usage: npm run bench [-- --only ${names.join('|')}]`);
  process.exit(2);
}

for (const name of flag ? names.filter((each) => each === only) : names) {
  for (const bench of (await BENCHES[name]?.()) ?? []) {
    console.log(`\n${bench.name === name ? name : `${name}: ${bench.name}`}`);
    console.log(report(await bench.run()));
  }
}
