import { Ajv2020 } from 'ajv/dist/2020.js';
import { byMethod } from '../contender.js';
import type { Contender, Inputs } from '../contender.js';

/** Compiled at the start; reports all errors. */
export function open({ schema, rules }: Inputs): Promise<Contender> {
  const compile = (allErrors: boolean) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors });
    ajv.addSchema(schema, 'mcp');
    return (name: string) => {
      const validate = ajv.getSchema(`mcp#/$defs/${name}`);
      if (!validate) throw new Error(`ajv has no ${name}.`);
      return validate;
    };
  };
  const first = compile(false);
  const all = compile(true);
  for (const name of Object.keys(schema.$defs)) first(name);
  return Promise.resolve(
    byMethod(
      rules,
      (name) => {
        const validate = first(name);
        return (value) => validate(value) as boolean;
      },
      (name) => {
        const validate = all(name);
        return (value) => (validate(value) ? 0 : (validate.errors?.length ?? 1));
      },
    ),
  );
}
