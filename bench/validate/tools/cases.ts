import { Ajv2020 } from 'ajv/dist/2020.js';
import { TOOLS } from './index.js';
import { randomFrom, sample } from './sample.js';

/** The arguments of calls of one tool. */
export interface Cases {
  readonly valid: readonly unknown[];
  /** Valid ones with one part replaced. */
  readonly broken: readonly unknown[];
}

const VALUES = 6;

/** For each tool some arguments that ajv accepts, and some that it refuses. */
export function casesOf(): Cases[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return TOOLS.map(({ name, inputSchema }) => {
    const accepts = ajv.compile(inputSchema as object);
    const valid: unknown[] = [];
    const broken: unknown[] = [];
    for (let seed = 1; valid.length < VALUES; seed += 1) {
      if (seed > 5000) throw new Error(`no valid arguments of ${name}`);
      const random = randomFrom(seed);
      const value = sample(inputSchema, inputSchema, random);
      if (!accepts(value)) continue;
      valid.push(value);
      const wrong = structuredClone(value);
      spoil(wrong as object, random(leaves(value)));
      if (!accepts(wrong)) broken.push(wrong);
    }
    return { valid, broken };
  });
}

function leaves(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + leaves(inner), 0);
}

/** Replaces the leaf with that number; returns how many leaves came before the end of the value. */
function spoil(value: object, target: number, from = 0): number {
  let index = from;
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    if (typeof inner === 'object' && inner !== null) {
      index = spoil(inner, target, index);
    } else {
      if (index === target) (value as Record<string, unknown>)[key] = { broken: true };
      index += 1;
    }
  }
  return index;
}
