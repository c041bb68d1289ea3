import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv';
import { expect, it } from 'vitest';
import type { JsonValue } from '../../json-schema/index.js';
import { partsOf, randomFrom, variantOf } from '../read/variants.js';
import { emitted } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';
import { sized } from '../support/size.js';
import { allOf, drawnDefinitions, valueOf } from './drawn.js';
import { isWithin } from './places.js';

const SEED = 46;
/** Of schemas that apply others to the same value, ajv lists the errors of all, and we those of the nearest. */
const APPLIED = /"(?:allOf|anyOf|oneOf|not|if|\$ref|unevaluated\w+|dependent\w+|dependencies)":/;

/** Where we report an error of ajv: at the key or the item that it is about. */
function placesOf({ instancePath, keyword, params, schemaPath }: ErrorObject): string[] {
  const { missingProperty, additionalProperty, propertyName, limit } = params as Record<
    string,
    string | undefined
  >;
  if (/\/(?:contains|propertyNames)\//.test(schemaPath)) return [];
  if (keyword === 'items') return [`${instancePath}/${String(limit)}`];
  const key = missingProperty ?? additionalProperty ?? propertyName;
  return [key === undefined ? instancePath : `${instancePath}/${key}`];
}

/** Whether a place is that of a further item where ajv reports the first one that is too many. */
function isFurther(place: string, errors: readonly ErrorObject[]): boolean {
  return errors.some(({ instancePath, keyword, params }) => {
    if (keyword !== 'items' || !place.startsWith(`${instancePath}/`)) return false;
    return Number(place.slice(instancePath.length + 1)) > (params as { limit: number }).limit;
  });
}

it('errors are at the places where ajv has them', async () => {
  const drawn = drawnDefinitions(sized(3_000), SEED).filter(
    ({ definitions }) => !APPLIED.test(JSON.stringify(definitions)),
  );
  const $defs = allOf(drawn);
  const { validate } = await emitted(protocolOf($defs));
  const ajv = new Ajv2020({
    ...{ strict: false, validateSchema: false, ownProperties: true, allErrors: true },
  }).addSchema({ $id: 'all', $defs });
  const random = randomFrom(SEED);
  let compared = 0;
  let elsewhere = 0;
  for (const { name, definitions } of drawn) {
    const check = ajv.compile({ $ref: `all#/$defs/${name}` });
    const schema = { $ref: `#/$defs/${name}` };
    const parts = partsOf(definitions[name] ?? true);
    for (let count = 0; count < 20; count += 1) {
      const value: JsonValue = variantOf(valueOf(schema, definitions, random), parts, random);
      // ajv calls a property of this name.
      if (JSON.stringify(value).includes('"toString"')) continue;
      const verdict = validate(name, value);
      if (verdict.ok || check(value)) continue;
      const own = new Set(verdict.errors.map(({ pointer }) => pointer));
      const expected = new Set((check.errors ?? []).flatMap(placesOf));
      compared += 1;
      if (String([...own].sort()) === String([...expected].sort())) continue;
      elsewhere += 1;
      const shown = JSON.stringify({ definitions, value, own: [...own], expected: [...expected] });
      for (const each of expected) expect(isWithin(each, own), shown).toBe(true);
      for (const each of own) {
        if (isFurther(each, check.errors ?? [])) continue;
        expect(
          [...expected].some((other) => isWithin(other, [each])),
          shown,
        ).toBe(true);
      }
    }
  }
  // A part that accepts no value is reported as a whole.
  expect(elsewhere / compared).toBeLessThan(0.05);
  expect(compared).toBeGreaterThan(drawn.length);
});
