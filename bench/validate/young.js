// A process of its own: what loading a contender costs, and its first hundred messages.
import { readFileSync } from 'node:fs';

const [, , setting, traffic] = process.argv;
const { module, inputs } = JSON.parse(readFileSync(setting, 'utf8'));

function cpuSince(before) {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

globalThis.gc();
const heap = process.memoryUsage().heapUsed;
const start = process.cpuUsage();
const { receive } = await (await import(module)).open(inputs);
const load = cpuSince(start);
globalThis.gc();
const grown = process.memoryUsage().heapUsed - heap;

// Read only now, because texts that are let go of while the contender is loaded would be counted for it.
const samples = JSON.parse(readFileSync(traffic, 'utf8'));
const beforeParse = process.cpuUsage();
const parsed = samples.map(({ text, ...rest }) => ({ ...rest, message: JSON.parse(text) }));
const parse = cpuSince(beforeParse);
const beforeCheck = process.cpuUsage();
const accepted = parsed.filter(receive).length;
const check = cpuSince(beforeCheck);

console.log(JSON.stringify({ load, heap: grown, parse, check, accepted }));
