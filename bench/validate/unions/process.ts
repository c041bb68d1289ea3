/** A process of its own, which has seen only the given files: what each contender takes for them, relative to `JSON.parse`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { validator } from '@exodus/schemasafe';
import { Compile } from 'typebox/schema';
import { each, interleaved, ratios, without } from '../measure.js';

type Check = (value: unknown) => boolean;

const [, , folder = '', ...files] = process.argv;
const load = async (name: string): Promise<Readonly<Record<string, unknown>>> =>
  (await import(pathToFileURL(join(folder, name)).href)) as Readonly<Record<string, unknown>>;

const schema = JSON.parse(readFileSync(join(folder, 'schema.json'), 'utf8')) as object;
const ata = (await load('ata.mjs'))['validators'] as readonly ((value: unknown) => {
  readonly valid: boolean;
})[];
const typebox = Compile(schema);
const checks: Readonly<Record<string, Check>> = {
  ours: (await load('ours.mjs'))['isPipeline'] as Check,
  ajv: (await load('ajv.mjs'))['Pipeline'] as Check,
  ata: (value) => ata[0]?.(value).valid === true,
  typebox: (value) => typebox.Check(value),
  schemasafe: validator(schema, { mode: 'lax' }) as unknown as Check,
};
const values = files.map((text) => JSON.parse(text) as unknown);
const jobs: Record<string, () => void> = {
  parse: each(files, (text) => JSON.parse(text)),
  nothing: each(values, () => undefined),
};
const running = Object.entries(checks).filter(([, check]) => values.every(check));
for (const [name, check] of running) jobs[name] = each(values, check);
const found = interleaved(jobs, { rounds: 9, warmUp: 100_000 });
const own = (name: string): number[] => without(found[name], found['nothing']);
console.log(
  JSON.stringify(
    Object.fromEntries(running.map(([name]) => [name, ratios(own(name), own('parse'))])),
  ),
);
