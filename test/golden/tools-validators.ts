/* eslint-disable */

import type * as types from './tools.js';
import { tuple } from '../../generator/emit/support/applicators.js';
import { finite, list, nest, record } from '../../generator/emit/support/check.js';
import type { Context, Unchecked } from '../../generator/emit/support/check.js';
import { validation } from '../../generator/emit/support/report.js';
import type { Shape } from '../../generator/emit/support/report.js';
import { schemaValidator } from '../../generator/emit/support/schema-validator.js';
import type { SchemaValidator, SchemaValidatorOptions } from '../../generator/emit/support/schema-validator.js';
import { deep, each, either, leaf, object, one, shape } from '../../generator/emit/support/shapes.js';
import type { Validation, ValidationOptions } from '../../generator/emit/support/validation.js';

const anObject: Shape = /*@__PURE__*/ leaf('an object', (v) => record(v));
const aNumber: Shape = /*@__PURE__*/ leaf('a number', (v) => finite(v));
const aString: Shape = /*@__PURE__*/ leaf('a string', (v) => typeof v === 'string');
const absent: Shape = /*@__PURE__*/ leaf('absent', () => false);
const oneOfThese: Shape = /*@__PURE__*/ leaf('"s" or null', (v) => v === 's' || v === null);

function checkFailInput(v: Unchecked): boolean {
  if (!(typeof v === 'object' && v !== null && !list(v))) return false;
  return true;
}

const shapeFailInput: Shape = /*@__PURE__*/ shape(checkFailInput, () => anObject);

function checkFailOutput(v: Unchecked): boolean {
  if (!record(v)) return false;
  let n = 0;
  for (const key in v) {
    const p = v[key];
    switch (key) {
      case 'never':
        if (typeof p !== 'string') return false;
        n++;
        break;
      default:
        return false;
    }
  }
  return n === 1;
}

const shapeFailOutput: Shape = /*@__PURE__*/ shape(checkFailOutput, () => object({ never: aString }, {}, absent));

function checkSlowComputeInput(v: Unchecked): boolean {
  let p: unknown;
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      finite(v['seconds']) &&
      ((p = v['mode']) === undefined || (p === 'fast' || p === 'exact'))
    )
  ) {
    return false;
  }
  return true;
}

const shapeSlowComputeInput: Shape = /*@__PURE__*/ shape(checkSlowComputeInput, () => object({ seconds: aNumber }, { mode: one('fast', 'exact') }));

function checkSlowComputeOutput(v: Unchecked): boolean {
  if (!record(v)) return false;
  let n = 0;
  for (const key in v) {
    const p = v[key];
    switch (key) {
      case 'value':
        if (!finite(p)) return false;
        n++;
        break;
      case 'unit':
        if (!(p === 's' || p === null)) return false;
        n++;
        break;
      default:
        return false;
    }
  }
  return n === 2;
}

const shapeSlowComputeOutput: Shape = /*@__PURE__*/ shape(checkSlowComputeOutput, () => object({ value: aNumber, unit: oneOfThese }, {}, absent));

function checkWalkTreeInputWhereOption1(v: Unchecked): boolean {
  return (
    list(v) &&
    v.length >= 2 &&
    v.length <= 2 &&
    (v.length <= 0 || finite(v[0])) &&
    (v.length <= 1 || finite(v[1])) &&
    v.length <= 2
  );
}

function checkWalkTreeInputWhere(v: Unchecked): boolean {
  return typeof v === 'string' || checkWalkTreeInputWhereOption1(v);
}

function checkWalkTreeInput(v: Unchecked, c: Context): boolean {
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      nest(checkWalkTreeInputSchema0, v['root'], c) &&
      checkWalkTreeInputWhere(v['where'])
    )
  ) {
    return false;
  }
  return true;
}

const shapeWalkTreeInput: Shape = /*@__PURE__*/ shape(checkWalkTreeInput, () => object({
  root: shapeWalkTreeInputSchema0,
  where: either(aString, tuple([aNumber, aNumber], absent, 2, 2)),
}));

function checkWalkTreeInputSchema0(v: Unchecked, c: Context): boolean {
  let p: unknown;
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      typeof v['name'] === 'string'
    )
  ) {
    return false;
  }
  p = v['children'];
  if (p !== undefined) {
    if (!list(p)) return false;
    for (let i = 0; i < p.length; i++) {
      const q = p[i];
      if (!nest(checkWalkTreeInputSchema0, q, c)) return false;
    }
  }
  return true;
}

const shapeWalkTreeInputSchema0: Shape = /*@__PURE__*/ deep(() => object({ name: aString }, { children: each(shapeWalkTreeInputSchema0) }));

function checkWalkTreeOutputSizes(v: Unchecked): boolean {
  if (!record(v)) return false;
  for (const key in v) {
    const p = v[key];
    if (!finite(p)) return false;
  }
  return true;
}

function checkWalkTreeOutput(v: Unchecked): boolean {
  if (!record(v)) return false;
  let n = 0;
  for (const key in v) {
    const p = v[key];
    switch (key) {
      case 'sizes':
        if (!checkWalkTreeOutputSizes(p)) return false;
        n++;
        break;
      default:
        return false;
    }
  }
  return n === 1;
}

const shapeWalkTreeOutput: Shape = /*@__PURE__*/ shape(checkWalkTreeOutput, () => object({ sizes: object({}, {}, aNumber) }, {}, absent));

/** The arguments of each tool. */
export const validateInput = {
  fail(value: unknown, options?: ValidationOptions): Validation<types.FailInput> {
    return validation(checkFailInput, shapeFailInput, value, options);
  },
  ping(value: unknown, options?: ValidationOptions): Validation<types.PingInput> {
    return validation(checkFailInput, shapeFailInput, value, options);
  },
  slowCompute(value: unknown, options?: ValidationOptions): Validation<types.SlowComputeInput> {
    return validation(checkSlowComputeInput, shapeSlowComputeInput, value, options);
  },
  walkTree(value: unknown, options?: ValidationOptions): Validation<types.WalkTreeInput> {
    return validation(checkWalkTreeInput, shapeWalkTreeInput, value, options);
  },
};


/** The structured content of each tool that has an output schema. */
export const validateOutput = {
  fail(value: unknown, options?: ValidationOptions): Validation<types.FailOutput> {
    return validation(checkFailOutput, shapeFailOutput, value, options);
  },
  slowCompute(value: unknown, options?: ValidationOptions): Validation<types.SlowComputeOutput> {
    return validation(checkSlowComputeOutput, shapeSlowComputeOutput, value, options);
  },
  walkTree(value: unknown, options?: ValidationOptions): Validation<types.WalkTreeOutput> {
    return validation(checkWalkTreeOutput, shapeWalkTreeOutput, value, options);
  },
};


/** The checks by the names of the tools. */
export const toolChecks: ReadonlyMap<
  string,
  { readonly input: (value: unknown) => Validation<unknown>; readonly output?: (value: unknown) => Validation<unknown> }
> = /*@__PURE__*/ new Map([
  ['fail', { input: validateInput.fail, output: validateOutput.fail }],
  ['ping', { input: validateInput.ping }],
  ['slow_compute', { input: validateInput.slowCompute, output: validateOutput.slowCompute }],
  ['walk-tree', { input: validateInput.walkTree, output: validateOutput.walkTree }],
]);


/** The option `jsonSchemaValidator` of the official SDK. It has checks for these schemas only. */
export function jsonSchemaValidator(options?: SchemaValidatorOptions): SchemaValidator {
  const known = new Map<string, (value: unknown, options?: ValidationOptions) => Validation<unknown>>([
    ['93ab7499dc3c616f8db8780fed0d9f69270803cda913882ad2ef3943db8d7225', validateInput.ping],
    ['11de3197ac7ed1746f9d1a32d711f37e39ca42e804775fed0b2a40735f78be13', validateOutput.fail],
    ['30fcde25a1821fd3a63a59e0e6347c9cf36524b188ea6cb2cd7801eac9e7a06a', validateInput.slowCompute],
    ['e13506294145af6de898785501ebdb51907f4987f18d2dcdbf9ad74013f3216d', validateOutput.slowCompute],
    ['8bb40a55181bef260331798dece7408ed49d51e047c2f44a29fc3f8f44715071', validateInput.walkTree],
    ['c5c5a6b4809a56c5e19d18e1aa6849eac3019ebc4db7b17fedd7d413757474c6', validateOutput.walkTree],
  ]);
  return schemaValidator(known, options);
}
