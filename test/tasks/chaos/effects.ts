import { appendFileSync } from 'node:fs';

/** What handlers did, as they noted it in a file that outlives their processes. */
export type Effect =
  | { readonly what: 'starts'; readonly task: string; readonly tool: string; readonly node: string }
  | {
      /** `runs`: the step's work begins. `has`: its result is recorded. */
      readonly what: 'runs' | 'has';
      readonly task: string;
      readonly step: string;
      readonly attempt: number;
      readonly token: string;
      readonly node: string;
    };

/** Synchronous, so that no pause of the process comes between the effect and its note. */
export function noteEffect(file: string, effect: Effect): void {
  appendFileSync(file, `${JSON.stringify(effect)}\n`);
}
