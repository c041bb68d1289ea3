// A process of its own: a contender's first reading, check and fault of each tool, in microseconds of CPU.
import { readFileSync } from 'node:fs';
import { opened } from './opened.mjs';

const [, , name, file] = process.argv;
const { tools, cases } = JSON.parse(readFileSync(file, 'utf8'));
const make = await opened(name);

function cpuOf(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const checks = [];
const read = cpuOf(() => {
  for (const [index, { inputSchema }] of tools.entries()) {
    const check = make(inputSchema);
    if (!check.accepts(cases[index].valid[0])) throw new Error(`${name} refuses a valid value`);
    checks.push(check);
  }
});
let faults = 0;
const fault = cpuOf(() => {
  for (const [index, { first }] of checks.entries()) {
    const [broken] = cases[index].broken;
    if (broken !== undefined) faults += first(broken);
  }
});
console.log(JSON.stringify({ read, fault, faults }));
