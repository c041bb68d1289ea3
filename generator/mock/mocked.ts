import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileText, many, systemFailure } from '../diagnostics/index.js';
import { parseLock } from '../contracts/lock/index.js';
import { Answering } from './answering.js';
import { indexed } from './index-recording.js';
import type { Model } from './model.js';
import { Promised } from './promised.js';
import { type Damage, openRecording, problem } from './recording.js';
import { MockServed, servedVersions } from './served.js';
import type { MockRequest } from './types.js';

export interface MockedParts {
  /** The path of a recording. */
  readonly recording: string | undefined;
  /** The path of a lock. */
  readonly lock: string | undefined;
  /** What the paths are relative to. Default: the folder of the process. */
  readonly cwd?: string;
  readonly speed: number;
  readonly seed: number;
  readonly isStrict: boolean;
  readonly onRequest: (request: MockRequest) => void;
  readonly onProblem: (error: unknown) => void;
}

/** A mock that is ready to serve. */
export interface Mocked {
  readonly served: MockServed;
  readonly summary: Summary;
  close(): void;
}

/** What was read. */
export interface Summary {
  readonly server: string;
  readonly revisions: readonly string[];
  /** Requests with answers, and those without. */
  readonly answered: number;
  readonly unanswered: number;
  /** Texts of the recording that are no messages, the first ones. */
  readonly damages: readonly Damage[];
  readonly damaged: number;
  readonly tools: number | undefined;
}

const MOST_DAMAGES = 10;

/**
 * Reads a recording, a lock or both.
 *
 * @throws {DiagnosticError} `not-found`, `bad-recording`, `bad-lock` or `not-json`
 */
export async function mocked(parts: MockedParts): Promise<Mocked> {
  const { speed, seed, isStrict, onRequest, onProblem, cwd = '' } = parts;
  const lock =
    parts.lock === undefined
      ? undefined
      : parseLock(textOf(resolve(cwd, parts.lock), parts.lock), parts.lock);
  const recording =
    parts.recording === undefined
      ? undefined
      : openRecording(resolve(cwd, parts.recording), parts.recording);
  try {
    const damages: Damage[] = [];
    let damaged = 0;
    const model =
      recording &&
      (await indexed(recording, (damage) => {
        damaged += 1;
        if (damages.length < MOST_DAMAGES) damages.push(damage);
      }));
    if (model !== undefined) assertPlayable(model, damaged, lock !== undefined);
    const promised = lock && new Promised(lock, seed);
    const answering = new Answering({ model, promised, speed, isStrict, onRequest });
    const revisions = model === undefined ? [lock?.revision ?? ''] : model.revisions;
    const versions = servedVersions(revisions, isStrict);
    const { name, version } = answering.facts.serverInfo;
    return {
      served: new MockServed({ answering, versions, onProblem }),
      summary: {
        server: [name, version].filter((each) => typeof each === 'string').join(' '),
        revisions,
        answered: model?.answered ?? 0,
        unanswered: (model?.size ?? 0) - (model?.answered ?? 0),
        damages,
        damaged,
        tools: lock?.tools.length,
      },
      close() {
        for (const timer of answering.timers) clearTimeout(timer);
        recording?.close();
      },
    };
  } catch (error) {
    recording?.close();
    throw error;
  }
}

/** @throws {DiagnosticError} `bad-recording` */
function assertPlayable(model: Model, damaged: number, hasLock: boolean): void {
  const { source } = model.recording;
  const record = 'Record one with "mcp-codegen record".';
  if (model.size === 0) {
    const beside = damaged > 0 ? `: ${many(damaged, 'text')} without a message` : '';
    throw problem(
      'bad-recording',
      source,
      `The recording has no request of a client${beside}.`,
      `${record} A lock is played with --lock.`,
    );
  }
  if (model.answered === 0) {
    const message = `The recording has ${many(model.size, 'request')} and no answer: only the client was recorded.`;
    throw problem('bad-recording', source, message, record);
  }
  if (model.revisions.length === 0 && !hasLock) {
    const message = 'The recording has no handshake, and no message names a revision.';
    throw problem('bad-recording', source, message, 'Name the lock of the server with --lock.');
  }
}

function textOf(path: string, source: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const reason = systemFailure(error)?.reason ?? String(error);
    throw problem('not-found', source, `Cannot read the lock: ${reason}.`);
  }
  return fileText(bytes, source);
}
