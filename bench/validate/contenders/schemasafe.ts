import { validator } from '@exodus/schemasafe';
import type { Validate } from '@exodus/schemasafe';
import { byMethod } from '../contender.js';
import type { Contender, Inputs } from '../contender.js';

/** Compiles a definition at its first message, because all of them take seconds. It has no reports: see `report.ts`. */
export function open({ schema, rules }: Inputs): Promise<Contender> {
  const compiled = (name: string) => {
    let made: Validate | undefined;
    const make = (): Validate =>
      validator(
        { $ref: `#/$defs/${name}`, ...schema },
        { mode: 'lax', formatAssertion: false, formats: { byte: () => true } },
      );
    return () => (made ??= make());
  };
  const check = (name: string) => {
    const validate = compiled(name);
    return (value: unknown) => validate()(value as never);
  };
  return Promise.resolve(
    byMethod(rules, check, (name) => {
      const accepts = check(name);
      return (value) => (accepts(value) ? 0 : 1);
    }),
  );
}
