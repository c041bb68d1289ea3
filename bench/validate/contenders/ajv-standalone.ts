import { byMethod } from '../contender.js';
import type { Contender, Inputs } from '../contender.js';

interface Validate {
  (value: unknown): boolean;
  readonly errors?: readonly unknown[] | null;
}

/** Compiled ahead of time; stops at the first error. */
export async function open({ ajvStandalone, rules }: Inputs): Promise<Contender> {
  const compiled = (await import(ajvStandalone)) as Readonly<Record<string, Validate>>;
  const own = (name: string): Validate => {
    const validate = compiled[name];
    if (!validate) throw new Error(`ajv has no ${name}.`);
    return validate;
  };
  return byMethod(rules, own, (name) => {
    const validate = own(name);
    return (value) => (validate(value) ? 0 : (validate.errors?.length ?? 1));
  });
}
