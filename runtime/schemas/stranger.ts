import {
  addFormats,
  assertStatic,
  draftOf,
  jsonCheck,
  loadJsonValidator,
} from './json-validator.js';
import { assertKeywords } from './keywords.js';
import { quickCheck } from './quick-check.js';
import { assertReferences } from './references.js';
import { type Formats, issuesText } from './standard.js';

/** Steps of one check. A step applies one schema to one part of a value. */
const MOST_STEPS = 50_000;
/** Limits of the search for hidden parts. */
const MOST_PARTS = 10_000;
const DEEPEST = 100;
const TOO_MANY = `it takes more than ${MOST_STEPS.toLocaleString('en')} steps to check`;

/** Whether the part at this path stands for another value of the same type, which is not shown. */
export type IsHidden = (path: readonly string[]) => boolean;

/** Why a value does not match, in a clause; `undefined` when it matches, and when that cannot be said. */
export type StrangerCheck = (value: unknown, isHidden?: IsHidden) => string | undefined;

type Issue = NonNullable<ReturnType<ReturnType<typeof jsonCheck>>['issues']>[number];
type Issues = (value: unknown) => readonly Issue[];

/**
 * Loads a reader of JSON Schemas that come from strangers together with their values. A schema that cannot be checked accepts
 * every value, and so does one whose check took too many steps from then on. Patterns have to be linear already. `formats`:
 * checks of formats by their names, in place of those of the library.
 */
export async function loadStrangerCheck(
  formats: Formats,
): Promise<(schema: Record<string, unknown>) => StrangerCheck> {
  await loadJsonValidator();
  addFormats(formats);
  return (schema) => {
    try {
      assertKeywords(schema);
      assertReferences(schema);
      draftOf(schema);
      assertStatic(schema);
      return checkOf(schema);
    } catch {
      // It has faults, or is nested too deeply for the stack.
      return () => undefined;
    }
  };
}

/** Most values match a plain schema. Only for the others the library is asked, which says why. */
function checkOf(schema: Record<string, unknown>): StrangerCheck {
  const matches = quickCheck(schema);
  const first = untilTooMany(jsonCheck(schema, { most: MOST_STEPS }));
  let all: Issues | undefined;
  return (value, isHidden) => {
    if (matches?.(value) === true) return undefined;
    const found = first(value);
    if (found.length === 0 || !isHidden || !holdsHidden(value, isHidden)) return textOf(found);
    // With other keywords, the verdict may depend on the hidden value anywhere.
    if (!matches) return undefined;
    all ??= untilTooMany(jsonCheck(schema, { most: MOST_STEPS, all: true }));
    return textOf(all(value).filter((issue) => !isHidden(pathOf(issue)) || isOfType(issue)));
  };
}

function textOf(issues: readonly Issue[]): string | undefined {
  return issues.length > 0 ? issuesText(issues.slice(0, 1)) : undefined;
}

function pathOf({ path }: Issue): string[] {
  return (path ?? []).map(String);
}

/** A hidden value has the type of the real one. */
function isOfType({ message }: Issue): boolean {
  return message.startsWith('Instance type ');
}

function holdsHidden(root: unknown, isHidden: IsHidden): boolean {
  const waiting: { readonly value: unknown; readonly path: readonly string[] }[] = [
    { value: root, path: [] },
  ];
  let steps = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next;
    steps += 1;
    // A large value is not searched: it counts as one with hidden parts.
    if (steps > MOST_PARTS || path.length > DEEPEST || isHidden(path)) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      waiting.push({ value: inner, path: [...path, key] });
    }
  }
  return false;
}

function untilTooMany(check: ReturnType<typeof jsonCheck>): Issues {
  let isGivenUp = false;
  return (value) => {
    if (isGivenUp) return [];
    const { issues = [] } = check(value);
    isGivenUp = issues.some(({ message }) => message === TOO_MANY);
    return isGivenUp ? [] : issues;
  };
}
