import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileText, many, systemFailure } from '../../generator/diagnostics/index.js';
import { type Lock, parseLock } from '../lock/index.js';
import { Answering, answererOf } from './answering.js';
import { type Facts, factsOf } from './facts.js';
import { indexed } from './index-recording.js';
import type { Model } from './model.js';
import { serverOf } from './server.js';
import { Translated } from './translated.js';
import { LiveTasks } from './live-tasks.js';
import { Matcher } from './matcher.js';
import { offerOf } from './offer.js';
import type { TaskServer } from '../../runtime/server/index.js';
import type { RevisionVersion } from '../../runtime/protocol.js';
import { type Damage, openRecording, problem } from './recording.js';
import { playedBy } from './peers.js';
import { servedVersions } from './revisions.js';
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
  readonly server: TaskServer;
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
  const { cwd = '', isStrict } = parts;
  const lock =
    parts.lock === undefined
      ? undefined
      : parseLock(textOf(resolve(cwd, parts.lock), parts.lock), parts.lock);
  const recording =
    parts.recording === undefined
      ? undefined
      : openRecording(resolve(cwd, parts.recording), parts.recording);
  let server: TaskServer | undefined;
  const close = (): void => {
    recording?.close();
    void server?.close(0);
  };
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
    const revisions = model === undefined ? [lock?.revision ?? ''] : model.revisions;
    const facts = factsOf(model, lock);
    const read = { model, lock, facts, versions: servedVersions(revisions, isStrict) };
    server = await serverFor(read, parts);
    const { name, version } = facts.serverInfo;
    return {
      server,
      summary: {
        server: [name, version].filter((each) => typeof each === 'string').join(' '),
        revisions,
        answered: model?.answered ?? 0,
        unanswered: (model?.size ?? 0) - (model?.answered ?? 0),
        damages,
        damaged,
        tools: lock?.tools.length,
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

interface Read {
  readonly model: Model | undefined;
  readonly lock: Lock | undefined;
  readonly facts: Facts;
  readonly versions: readonly RevisionVersion[];
}

/** A server of what was read, in whose peers the recording is played. */
async function serverFor(read: Read, parts: MockedParts): Promise<TaskServer> {
  const { model, lock, facts, versions } = read;
  const { seed, speed, isStrict, onRequest, onProblem } = parts;
  const translated =
    model && new Translated(new LiveTasks(model, speed), new Matcher(model, false));
  try {
    const offer = await offerOf(facts, read, versions);
    const server = await serverOf(offer, { seed, versions, translated, onProblem });
    if (model === undefined || translated === undefined) {
      return playedBy(server, answererOf, onRequest);
    }
    const tasks = new LiveTasks(model, speed);
    const answering = new Answering({ tasks, translated, isStrict, lock });
    return playedBy(server, (asked) => answering.find(asked), onRequest);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const source = parts.lock ?? parts.recording ?? '';
    throw problem(lock ? 'bad-lock' : 'bad-recording', source, `${error.message}.`);
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
