import type { Folder } from './folder.js';
import { conflictsOf } from './plan.js';
import type { Plan, Step } from './plan.js';

/** Thrown before the first write when the plan has conflicts. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';

  constructor(readonly conflicts: readonly Step[]) {
    super(conflicts.map(({ path, reason }) => `${path} ${reason ?? 'is in the way'}`).join('\n'));
  }
}

/**
 * Applies a plan. It writes the manifest last, so after an interruption each file is either old or new,
 * and the next run completes the rest.
 *
 * @throws {ConflictError} when the plan has conflicts, or a file changed since it was made.
 */
export function applyPlan(plan: Plan, folder: Folder): void {
  const conflicts = conflictsOf(plan);
  if (conflicts.length > 0) throw new ConflictError(conflicts);
  const steps = plan.filter(({ action }) => action !== 'skip');
  const changed = steps.filter((step) => !isAsPlanned(step, folder));
  if (changed.length > 0) {
    throw new ConflictError(
      changed.map((step) => ({ ...step, reason: 'changed while this was running' })),
    );
  }
  for (const { path, action, text, bytes } of steps) {
    if (action === 'delete') folder.remove(path);
    else folder.write(path, text ?? bytes ?? '');
  }
}

function isAsPlanned({ path, found }: Step, folder: Folder): boolean {
  const now = folder.look(path);
  return (
    now.kind === found.kind &&
    (now.kind !== 'file' || found.kind !== 'file' || now.sha256 === found.sha256)
  );
}
