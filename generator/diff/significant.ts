import type { ProtocolDiff } from './model.js';

/** Changes in notation only, left out of a comparison. */
export interface Significant {
  readonly diff: ProtocolDiff;
  /** The definitions without any other change. */
  readonly restated: number;
}

/** A comparison without the changes after which the same values are valid. */
export function significant(diff: ProtocolDiff): Significant {
  const kept = diff.definitions.changed.flatMap((definition) => {
    const changes = definition.changes.filter(({ kind }) => kind !== 'restated');
    return changes.length === 0 ? [] : [{ ...definition, changes }];
  });
  return {
    diff: { ...diff, definitions: { ...diff.definitions, changed: kept } },
    restated: diff.definitions.changed.length - kept.length,
  };
}

/** Whether anything but the notation differs. */
export function differs({ definitions, methods }: ProtocolDiff): boolean {
  return [definitions, methods].some(
    ({ added, removed, changed }) => added.length + removed.length + changed.length > 0,
  );
}
