/** A process of its own, which has seen messages of one shape: what each contender takes for them. */
import { readFileSync } from 'node:fs';
import { rulesFor, wireDefinitions } from './contender.js';
import type { Contender, ContenderModule, Inputs } from './contender.js';
import { costsOf } from './costs.js';
import type { Effort } from './costs.js';
import type { Sample } from './traffic.js';

export interface KindTask {
  readonly inputs: Inputs;
  readonly sample: Sample;
  readonly effort: Effort;
  /** The URL of each contender's module. */
  readonly modules: Readonly<Record<string, string>>;
}

const { inputs, sample, modules, effort } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
) as KindTask;
const rules = rulesFor(inputs.rules, sample);
const running = new Map<string, Contender>();
for (const [name, url] of Object.entries(modules)) {
  const { open } = (await import(url)) as ContenderModule;
  running.set(name, await open({ ...inputs, rules, only: wireDefinitions(rules) }));
}
console.log(JSON.stringify(Object.fromEntries(costsOf(running, [sample], effort))));
