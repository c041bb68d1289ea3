// The contenders: each makes checks of a schema. A module of its own, because young processes load it, too.
const OPENERS = {
  'mcp-codegen': async () => {
    const { compile, read } = await import('../../dist/json-schema/index.js');
    return (schema) => {
      const { node, definitions } = read(schema);
      const { accepts, refusals } = compile(node, definitions);
      return {
        accepts,
        first: (value) => refusals(value).length,
        all: (value) => refusals(value, { all: true }).length,
      };
    };
  },
  ajv: async () => {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    return (schema) => {
      // Each schema in an instance of its own: one instance would keep what it has compiled.
      const compiled = (allErrors) =>
        new Ajv2020({ strict: false, validateFormats: false, allErrors }).compile(schema);
      const accepts = compiled(false);
      let reporting;
      const faults = (validate, value) => (validate(value) ? 0 : validate.errors.length);
      return {
        accepts,
        first: (value) => faults(accepts, value),
        all: (value) => faults((reporting ??= compiled(true)), value),
      };
    };
  },
  cfworker: async () => {
    const { Validator } = await import('@cfworker/json-schema');
    return (schema) => {
      const short = new Validator(schema, '2020-12');
      let reporting;
      return {
        accepts: (value) => short.validate(value).valid,
        first: (value) => short.validate(value).errors.length,
        all: (value) =>
          (reporting ??= new Validator(schema, '2020-12', false)).validate(value).errors.length,
      };
    };
  },
};

export const NAMES = Object.keys(OPENERS);

export const opened = (name) => OPENERS[name]();
