import { validator } from '@exodus/schemasafe';
import type { Validate, ValidatorOptions } from '@exodus/schemasafe';
import { byMethod } from '../contender.js';
import type { Contender, Inputs } from '../contender.js';

/** Compiles a definition at its first message, because all of them take seconds: for verdicts, and for reports of all errors. */
export function open({ schema, rules }: Inputs): Promise<Contender> {
  const compiled = (name: string, options: ValidatorOptions) => {
    let made: Validate | undefined;
    const make = (): Validate =>
      validator(
        { $ref: `#/$defs/${name}`, ...schema },
        {
          mode: 'lax',
          formatAssertion: false,
          formats: { byte: () => true },
          ...options,
        },
      );
    return () => (made ??= make());
  };
  return Promise.resolve(
    byMethod(
      rules,
      (name) => {
        const validate = compiled(name, {});
        return (value) => validate()(value as never);
      },
      (name) => {
        const compile = compiled(name, { includeErrors: true, allErrors: true });
        return (value) => {
          const validate = compile();
          return validate(value as never) ? 0 : (validate.errors?.length ?? 1);
        };
      },
    ),
  );
}
