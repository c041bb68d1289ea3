import { fromJSONSchema } from 'zod';
import type { ZodType } from 'zod';
import { byMethod } from '../contender.js';
import type { Contender, Inputs } from '../contender.js';

export function open({ schema, rules }: Inputs): Promise<Contender> {
  const { $defs } = schema;
  const compiled = new Map<string, ZodType>(
    Object.keys($defs).map((name) => [
      name,
      fromJSONSchema({ $ref: `#/$defs/${name}`, $defs } as never),
    ]),
  );
  const parse = (name: string) => (value: unknown) => compiled.get(name)?.safeParse(value);
  return Promise.resolve(
    byMethod(
      rules,
      (name) => {
        const own = parse(name);
        return (value) => own(value)?.success ?? false;
      },
      (name) => {
        const own = parse(name);
        return (value) => own(value)?.error?.issues.length ?? 0;
      },
    ),
  );
}
