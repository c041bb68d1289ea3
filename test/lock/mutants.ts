import type { Lock, Sent, Verdict } from '../../contracts/lock/index.js';
import { expectedVerdict, mutantOf as schemaMutantOf } from './value-mutants.js';
import { isSchema } from './places.js';
import type { Random } from '../read/variants.js';

/** A tool before and after a change; absent where there is none. */
export interface ToolMutant {
  readonly name: string;
  /** What the change does, for messages. */
  readonly kind: string;
  readonly before?: Sent;
  readonly after?: Sent;
  readonly verdict: Verdict;
}

type Change = (tool: Sent, random: Random) => Omit<ToolMutant, 'name'> | undefined;

const schemaChange =
  (key: 'inputSchema' | 'outputSchema'): Change =>
  (tool, random) => {
    const own = tool[key] ?? tool['inputSchema'];
    const mutant = isSchema(own) ? schemaMutantOf(own, random) : undefined;
    if (!mutant) return undefined;
    const direction = key === 'inputSchema' ? 'input' : 'output';
    const expected = expectedVerdict(mutant.effect, direction);
    const isText = /^(?:describe|add an? (?:required|optional|pattern)|list another)/.test(
      mutant.name,
    );
    return {
      kind: `${key}: ${mutant.name}`,
      before: { ...tool, [key]: mutant.before },
      after: { ...tool, [key]: mutant.after },
      verdict: isText && expected === 'compatible' ? 'text' : expected,
    };
  };

const withHints = (tool: Sent, hints: Sent): Sent => ({
  ...tool,
  annotations: { ...(tool['annotations'] as Sent | undefined), ...hints },
});
const withSupport = (tool: Sent, taskSupport: string): Sent => ({
  ...tool,
  execution: { taskSupport },
});

/** From task support to another one. */
const SUPPORTS: readonly (readonly [string, string, Verdict])[] = [
  ['forbidden', 'optional', 'compatible'],
  ['forbidden', 'required', 'breaking'],
  ['optional', 'required', 'breaking'],
  ['optional', 'forbidden', 'breaking'],
  ['required', 'optional', 'compatible'],
  ['required', 'forbidden', 'breaking'],
];

const CHANGES: readonly Change[] = [
  schemaChange('inputSchema'),
  schemaChange('inputSchema'),
  schemaChange('inputSchema'),
  schemaChange('outputSchema'),
  schemaChange('outputSchema'),
  (before) => ({ kind: 'remove it', before, verdict: 'breaking' }),
  (after) => ({ kind: 'add it', after, verdict: 'text' }),
  (before) => ({
    kind: 'describe it',
    before,
    after: { ...before, description: 'x' },
    verdict: 'text',
  }),
  (before) => ({ kind: 'title it', before, after: { ...before, title: 'x' }, verdict: 'text' }),
  (before) => ({
    kind: 'give it _meta',
    before,
    after: { ...before, _meta: { x: 1 } },
    verdict: 'text',
  }),
  (tool) => ({
    kind: 'say it is not read-only',
    before: withHints(tool, { readOnlyHint: true }),
    after: withHints(tool, { readOnlyHint: false }),
    verdict: 'text',
  }),
  (tool, random) => {
    const [was, is, verdict] = SUPPORTS[random(SUPPORTS.length)] ?? ['', '', 'unclear'];
    return {
      kind: `${was} to ${is}`,
      before: withSupport(tool, was),
      after: withSupport(tool, is),
      verdict,
    };
  },
];

/** One to three tools of the lock with a change each. */
export function mutantsOf(lock: Lock, random: Random): readonly ToolMutant[] {
  const rest = [...lock.tools];
  const wanted = 1 + random(Math.min(3, rest.length));
  const mutants: ToolMutant[] = [];
  for (
    let attempts = 0;
    mutants.length < wanted && rest.length > 0 && attempts < 50;
    attempts += 1
  ) {
    const index = random(rest.length);
    const tool = rest[index];
    const change = tool && CHANGES[random(CHANGES.length)]?.(tool, random);
    if (!tool || !change) continue;
    rest.splice(index, 1);
    mutants.push({ name: nameOf(tool), ...change });
  }
  return mutants;
}

/** The lock with its mutants before their changes, and after them. */
export function locksOf(lock: Lock, mutants: readonly ToolMutant[]): readonly [Lock, Lock] {
  const names = new Set(mutants.map(({ name }) => name));
  const others = lock.tools.filter((tool) => !names.has(nameOf(tool)));
  const withTools = (side: 'before' | 'after'): Lock => ({
    ...lock,
    tools: [...others, ...mutants.flatMap((mutant) => withSide(mutant[side]))],
  });
  return [withTools('before'), withTools('after')];
}

const nameOf = ({ name }: Sent): string => (typeof name === 'string' ? name : '');
const withSide = (tool: Sent | undefined): Sent[] => (tool === undefined ? [] : [tool]);
