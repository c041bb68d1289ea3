import { assertStatic, draftOf, jsonCheck, loadJsonValidator } from './json-validator.js';
import { assertKeywords } from './keywords.js';
import { quickCheck } from './quick-check.js';
import { assertReferences } from './references.js';
import { issuesText } from './standard.js';

/** Steps of one check. A step applies one schema to one part of a value. */
const MOST_STEPS = 50_000;
const TOO_MANY = `it takes more than ${MOST_STEPS.toLocaleString('en')} steps to check`;

/** Why a value does not match, in a clause; `undefined` when it matches, and when the check was given up. */
export type StrangerCheck = (value: unknown) => string | undefined;

/**
 * Loads a reader of JSON Schemas that come from strangers together with their values. A schema that cannot be checked accepts
 * every value, and so does one whose check took too many steps from then on. Patterns have to be linear already.
 */
export async function loadStrangerCheck(): Promise<
  (schema: Record<string, unknown>) => StrangerCheck
> {
  await loadJsonValidator();
  return (schema) => {
    try {
      assertKeywords(schema);
      assertReferences(schema);
      draftOf(schema);
      assertStatic(schema);
      return quickly(schema, untilTooMany(jsonCheck(schema, { most: MOST_STEPS })));
    } catch {
      // It has faults, or is nested too deeply for the stack.
      return () => undefined;
    }
  };
}

/** Most values match. Only for the others the library is asked, which says why. */
function quickly(schema: Record<string, unknown>, check: StrangerCheck): StrangerCheck {
  const matches = quickCheck(schema);
  if (matches === undefined) return check;
  return (value) => (matches(value) ? undefined : check(value));
}

function untilTooMany(check: ReturnType<typeof jsonCheck>): StrangerCheck {
  let isGivenUp = false;
  return (value) => {
    if (isGivenUp) return undefined;
    const { issues } = check(value);
    if (issues === undefined) return undefined;
    isGivenUp = issues.some(({ message }) => message === TOO_MANY);
    return isGivenUp ? undefined : issuesText(issues.slice(0, 1));
  };
}
