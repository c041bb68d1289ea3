import { jsonReply, later, type TextReply } from '../transport/index.js';

/** A part of the server that can fail by itself: rejects with the fault. */
export type Probe = () => Promise<void>;

type State = 'ok' | 'failing';

export interface HealthOptions {
  /** By name, as the answer shows them. */
  readonly parts: Readonly<Record<string, Probe>>;
  /** Receives the fault that a probe rejected with. */
  readonly onFault: (error: Error) => void;
}

/** Where a server tells whether its process answers at all, whatever fails. */
export function livePathOf(healthPath: string): string {
  return `${healthPath}/live`;
}

export const LIVE = { status: 'ok' } as const;

/** How long the answer of a probe is reused for all callers. */
const MAX_AGE_MS = 1_000;
/** A part that takes longer than this to answer counts as failing. */
const LONGEST_PROBE_MS = 2_000;

/**
 * Answers requests for health: 200 and `{"status":"ok","parts":{…}}`, or 503 with `failing` for the
 * status and for each part that fails, or `closing`. It names the parts but no reasons, because any
 * client may ask; the reasons go to `onFault`.
 */
export function createHealth({ parts, onFault }: HealthOptions): {
  readonly answer: (closing: boolean) => Promise<TextReply>;
} {
  const looks = Object.entries(parts).map(([name, probe]) => {
    const report = (error: unknown): void =>
      onFault(new Error(`Health of ${name}: ${reasonOf(error)}`, { cause: error }));
    return [name, remembered(probe, report)] as const;
  });

  return {
    async answer(closing) {
      if (closing) return jsonReply({ status: 'closing' }, 503);
      const states = await Promise.all(looks.map(async ([name, look]) => [name, await look()]));
      const failing = states.some(([, state]) => state === 'failing');
      const parts = Object.fromEntries(states) as object;
      return jsonReply({ status: failing ? 'failing' : 'ok', parts }, failing ? 503 : 200);
    },
  };
}

/** At most one probe at a time, and one a second. A probe that hangs is not repeated until it returns. */
function remembered(probe: Probe, report: (error: unknown) => void): () => Promise<State> {
  let latest: Promise<State> | undefined;
  // A time and not a timer, which would end with the request that set it in workerd.
  let staleAt = Infinity;

  function look(): Promise<State> {
    staleAt = Infinity;
    const state = probe().then(
      (): State => 'ok',
      (error: unknown): State => {
        report(error);
        return 'failing';
      },
    );
    void state.then(() => (staleAt = performance.now() + MAX_AGE_MS));
    return Promise.race([state, late(state, report)]);
  }

  return () => {
    if (latest === undefined || performance.now() >= staleAt) latest = look();
    return latest;
  };
}

async function late(state: Promise<State>, report: (error: unknown) => void): Promise<State> {
  return new Promise((resolve) => {
    const timer = later(LONGEST_PROBE_MS, () => {
      report(new Error(`no answer within ${LONGEST_PROBE_MS} ms`));
      resolve('failing');
    });
    void state.then(() => clearTimeout(timer));
  });
}

/** The message of an error and of its cause, because `fetch` reports only that it failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error ? `${message}: ${cause.message || cause.name}` : message;
}
