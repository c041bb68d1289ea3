import { Compile } from 'typebox/schema';
import { byMethod } from '../contender.js';
import type { Contender, Inputs } from '../contender.js';

export function open({ schema, rules, only }: Inputs): Promise<Contender> {
  const { $defs } = schema;
  const compiled = new Map(
    (only ?? Object.keys($defs)).map((name) => [
      name,
      Compile({ $ref: `#/$defs/${name}`, $defs } as object),
    ]),
  );
  const own = (name: string) => {
    const validator = compiled.get(name);
    if (!validator) throw new Error(`TypeBox has no ${name}.`);
    return validator;
  };
  return Promise.resolve(
    byMethod(
      rules,
      (name) => {
        const validator = own(name);
        return (value) => validator.Check(value);
      },
      (name) => {
        const validator = own(name);
        return (value) => validator.Errors(value)[1].length;
      },
    ),
  );
}
