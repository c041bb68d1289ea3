import { byMethod } from '../contender.js';
import type { Contender, Inputs } from '../contender.js';

type Validate = (value: unknown) => {
  readonly valid: boolean;
  readonly errors: readonly unknown[];
};

/** Compiled ahead of time, by position. */
export async function open({ ata, schema, rules }: Inputs): Promise<Contender> {
  const { validators } = (await import(ata)) as { readonly validators: readonly Validate[] };
  const names = Object.keys(schema.$defs);
  const own = (name: string): Validate => {
    const validate = validators[names.indexOf(name)];
    if (!validate) throw new Error(`ata-validator does not compile ${name}.`);
    return validate;
  };
  return byMethod(
    rules,
    (name) => {
      const validate = own(name);
      return (value) => validate(value).valid;
    },
    (name) => {
      const validate = own(name);
      return (value) => validate(value).errors.length;
    },
  );
}
