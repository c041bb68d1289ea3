import { isDeepStrictEqual } from 'node:util';
import type { Change, ProtocolDiff } from '../../generator/diff/index.js';
import { diffProtocols, significant } from '../../generator/diff/index.js';
import { buildProtocol, EXCEPTIONS } from '../../generator/ir/index.js';
import type { Protocol } from '../../generator/ir/index.js';
import { loadRevision } from '../../generator/read/load/index.js';
import { protocolFromSource } from '../../generator/protocol/protocol.js';
import type { ReadProtocol } from '../../generator/protocol/protocol.js';
import { bundledSchema } from '../support/corpus/index.js';
import type { JsonObject } from '../support/corpus/index.js';
import type { Mutant } from './mutations.js';

const bases = new Map<string, Protocol>();

export function baseOf({ base }: Pick<Mutant, 'base'>): Protocol {
  const known = bases.get(base) ?? buildProtocol(loadRevision(base).document);
  bases.set(base, known);
  return known;
}

export function readMutant({ schema }: Mutant): ReadProtocol {
  return protocolFromSource({ label: 'schema.json', text: JSON.stringify(schema, null, 2) });
}

/** What `diff` reports, in the lines that a mutation expects. A new name alone is not reported twice. */
export function reportOf(mutant: Mutant, now: Protocol): string[] {
  const { diff } = significant(diffProtocols(baseOf(mutant), now));
  return [...definitionLines(mutant, diff), ...methodLines(mutant, diff)].sort();
}

function definitionLines({ renamed }: Mutant, { definitions }: ProtocolDiff): string[] {
  const { added, removed, changed } = definitions;
  return [
    ...added.map((name) => `definition ${name} added`),
    ...removed.map((name) => `definition ${name} removed`),
    ...changed.flatMap(({ name, changes }) =>
      changes
        .filter((change) => !isRenaming(change, renamed, changes))
        .map(({ path, kind, breaks }) => `${name}: ${path} ${kind} ${sayBreaks(breaks)}`),
    ),
  ];
}

function methodLines({ renamed }: Mutant, { methods }: ProtocolDiff): string[] {
  const line = ({ kind, method, senders, breaks }: ProtocolDiff['methods']['added'][number]) =>
    [`${kind} ${method} of ${senders.join()}`, sayBreaks(breaks)] as const;
  return [
    ...methods.added.map((each) => line(each).join(' added ')),
    ...methods.removed.map((each) => line(each).join(' removed ')),
    ...methods.changed.flatMap(({ method, changes }) =>
      changes
        .filter(({ before, after, breaks }) => {
          return breaks.length > 0 || rename(before, renamed) !== after;
        })
        .map(({ field, before, after }) => `${method} ${field}: ${before} → ${after}`),
    ),
  ];
}

const sayBreaks = (breaks: readonly string[]): string =>
  `breaks ${breaks.join(' and ') || 'nothing'}`;

/** A change that only says a new name breaks nothing, and its other half is there. */
function isRenaming(
  change: Change,
  renamed: Mutant['renamed'],
  others: readonly Change[],
): boolean {
  if (renamed.size === 0 || change.breaks.length > 0) return false;
  const { path, kind, before, after } = change;
  if (kind === 'removed') {
    const name = rename(before ?? '', renamed);
    return name !== before && others.some((each) => each.path === path && each.after === name);
  }
  return kind === 'added' && [...renamed.values()].includes(after ?? '');
}

function rename(text: string, renamed: Mutant['renamed']): string {
  return [...renamed].reduce(
    (done, [from, to]) => done.replace(new RegExp(`\\b${from}\\b`, 'g'), to),
    text,
  );
}

/** The ids of corrections whose wrong value is still in the definition that has it. */
export function wrongIn({ plain: schema }: Mutant): string[] {
  const schemas = (schema['$defs'] ?? schema['definitions']) as Record<string, unknown>;
  const isWrong = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    const { type } = value as { type?: unknown };
    const types = Array.isArray(type) ? [...(type as string[])].sort() : [];
    const found = isDeepStrictEqual(types, ['boolean', 'integer', 'string']);
    return found || Object.values(value).some(isWrong);
  };
  return [
    ...(isWrong(schemas['ElicitResult']) ? ['elicit-result-fraction'] : []),
    ...(isWrong(schemas['JSONValue']) ? ['json-value-null-and-fraction'] : []),
  ];
}

/** The facts beside the schema that apply to the base of a mutant and not to the mutant, as JSON. */
export function lostFactsOf({ base, plain: schema }: Mutant): string[] {
  const before = factsIn(bundledSchema(base) as unknown as JsonObject, base);
  const after = factsIn(schema, base);
  return before.filter((fact) => !after.includes(fact)).sort();
}

function factsIn(schema: JsonObject, base: Mutant['base']): string[] {
  const schemas = (schema['$defs'] ?? schema['definitions']) as Record<string, JsonObject>;
  const messages = Object.keys(schemas).filter((name) => /(?:Request|Notification)$/.test(name));
  const isSaid = (method: string): boolean =>
    messages.some((name) =>
      new RegExp(`"method":\\{[^}]*"const":"${method}"`).test(JSON.stringify(schemas[name])),
    );
  const { extension } = baseOf({ base });
  const facts = extension && EXCEPTIONS.extensions[extension.id];
  const capabilities = EXCEPTIONS.capabilities.filter(({ method, needs: { party, path } }) => {
    let place: unknown = schemas[party === 'client' ? 'ClientCapabilities' : 'ServerCapabilities'];
    for (const key of path) {
      place = (place as { properties?: JsonObject } | undefined)?.properties?.[key];
    }
    return extension === undefined && place !== undefined && isSaid(method);
  });
  return [
    ...capabilities,
    ...EXCEPTIONS.metaKeys.filter(({ definition }) => definition in schemas),
    ...(facts?.senders ?? []).filter(({ method }) => isSaid(method)),
    ...(facts?.addedResults ?? []).filter(({ result }) => result in schemas),
  ].map((fact) => JSON.stringify(fact));
}
