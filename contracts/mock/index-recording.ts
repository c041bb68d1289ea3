import { META_KEYS, METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { at } from '../../runtime/peer/wire/json.js';
import { BoundedMap } from '../validate/index.js';
import { Model } from './model.js';
import type { Damage, Recorded, Recording } from './recording.js';
import { createdIn, kindOf, senderOf, taskIdIn, taskIn } from './messages.js';

/** Of open requests, of progress tokens and of tasks. Beyond, the oldest are forgotten. */
const BOUNDS = { entries: 10_000, characters: 4_000_000 };
const MOST_SESSIONS = 10_000;

/** Methods during which servers send messages. A message that names no request belongs to one of them first. */
const CALLS: ReadonlySet<unknown> = new Set([
  METHODS.toolsCall,
  METHODS.tasksResult,
  METHODS.promptsGet,
  METHODS.resourcesRead,
  METHODS.completionComplete,
]);

/** Of one session. */
const MOST_OPEN = 1_000;

interface Question {
  readonly exchange: number;
  readonly taskId: string | undefined;
}

interface Open {
  readonly exchange: number;
  readonly message: JsonObject;
}

/** What was said in one session so far. */
interface Talk {
  /** Tells requests with equal ids apart, after another handshake. */
  readonly name: string;
  revision: string | undefined;
  /** By id, the oldest first. */
  readonly open: Map<unknown, Open>;
  /** The exchange that was answered last. */
  last: number | undefined;
}

/** Reads a recording once, and notes what belongs together. `onDamage` gets each text that is no message. */
export async function indexed(
  recording: Recording,
  onDamage: (damage: Damage) => void,
): Promise<Model> {
  const indexer = new Indexer(recording);
  for await (const some of recording.messages()) {
    for (const each of some) {
      if ('problem' in each) onDamage(each);
      else indexer.take(each);
    }
  }
  return indexer.model;
}

class Indexer {
  readonly model: Model;
  readonly #talks = new Map<string, Talk>();
  /** The exchanges of questions to the client, of progress tokens, and those that created tasks. */
  readonly #questions = new BoundedMap<Question>(BOUNDS);
  readonly #tokens = new BoundedMap<number>(BOUNDS);
  readonly #tasks = new BoundedMap<number>(BOUNDS);
  #handshakes = 0;

  constructor(recording: Recording) {
    this.model = new Model(recording);
  }

  take(placed: Recorded): void {
    const { message } = placed;
    const talk = this.#talkOf(placed);
    const from = senderOf(placed, (id) => talk.open.has(id));
    const kind = kindOf(message);
    if (from === 'server' && kind === 'answer') this.#answer(talk, placed);
    else if (from === 'server') this.#said(talk, placed);
    else if (kind === 'request') this.#asked(talk, placed);
    else if (kind === 'answer') this.#replied(talk, placed);
    else if (message['method'] === METHODS.notificationsCancelled) this.#withdrew(talk, message);
  }

  #talkOf({ session, message, from }: Recorded): Talk {
    const isNew = message['method'] === METHODS.initialize && from !== 'server';
    const known = this.#talks.get(session);
    if (known !== undefined && !isNew) return known;
    if (isNew) this.#handshakes += 1;
    const name = `${session} ${this.#handshakes}`;
    const talk: Talk = { name, revision: undefined, open: new Map(), last: undefined };
    this.#talks.delete(session);
    this.#talks.set(session, talk);
    const [oldest] = this.#talks.keys();
    if (this.#talks.size > MOST_SESSIONS && oldest !== undefined) this.#talks.delete(oldest);
    return talk;
  }

  #asked(talk: Talk, placed: Recorded): void {
    const { message, place } = placed;
    const claimed = at(message, ['params', '_meta', META_KEYS.protocolVersion]);
    const revision = typeof claimed === 'string' ? claimed : talk.revision;
    const exchange = this.model.asked(placed, revision);
    talk.open.set(message['id'], { exchange, message });
    const [oldest] = talk.open.keys();
    if (talk.open.size > MOST_OPEN) talk.open.delete(oldest);
    const token = at(message, ['params', '_meta', 'progressToken']);
    if (token !== undefined) this.#tokens.set(keyIn(talk, token), exchange, []);
    const acts =
      message['method'] === METHODS.tasksUpdate || message['method'] === METHODS.tasksCancel;
    const taskId = acts ? taskIdIn(message) : undefined;
    if (taskId !== undefined) this.model.about(taskId, place, true);
  }

  #answer(talk: Talk, placed: Recorded): void {
    const { message, place } = placed;
    const asked = talk.open.get(message['id']);
    if (asked === undefined) return;
    talk.open.delete(message['id']);
    const { exchange } = asked;
    this.model.answer(exchange, place);
    talk.last = exchange;
    const created = createdIn(message);
    if (created !== undefined) this.#tasks.set(created, exchange, []);
    const { method } = asked.message;
    const ended = method === METHODS.tasksResult ? taskIdIn(asked.message) : undefined;
    if (ended === undefined) this.#shown(message, place);
    else this.model.about(ended, place);
    const settled = at(message, ['result', 'protocolVersion']);
    if (method === METHODS.initialize && typeof settled === 'string') {
      talk.revision = settled;
      const requested = at(asked.message, ['params', 'protocolVersion']);
      this.model.settle(exchange, settled);
      this.model.handshakes.push({ exchange, requested, settled });
    }
    if (method === METHODS.serverDiscover && 'result' in message)
      this.model.discoveries.push(exchange);
  }

  /** A notification or a question of the server. */
  #said(talk: Talk, { message, place }: Recorded): void {
    this.#shown(message, place);
    const exchange = this.#ownerOf(talk, message);
    if (exchange === undefined) return;
    this.model.belongs(exchange, place);
    if (message['id'] !== undefined) {
      const taskId = taskIdIn(message);
      if (taskId !== undefined) this.model.about(taskId, place);
      const question = { exchange, taskId };
      this.#questions.set(keyIn(talk, message['id']), question, []);
    }
  }

  /** An answer of the client, at which a task may go on. */
  #replied(talk: Talk, { message, place }: Recorded): void {
    const question = this.#questions.get(keyIn(talk, message['id']));
    if (question === undefined) return;
    const { exchange, taskId } = question;
    this.model.belongs(exchange, place);
    if (taskId !== undefined) this.model.about(taskId, place, true);
  }

  #withdrew(talk: Talk, message: JsonObject): void {
    const asked = talk.open.get(at(message, ['params', 'requestId']));
    if (asked !== undefined) this.model.withdraw(asked.exchange);
  }

  #shown(message: JsonObject, place: number): void {
    const task = taskIn(message);
    if (task !== undefined) this.model.about(String(task['taskId']), place);
  }

  /** The exchange that a message of the server belongs to: the one that it names, else the newest that is open. */
  #ownerOf(talk: Talk, message: JsonObject): number | undefined {
    const subscription = at(message, ['params', '_meta', META_KEYS.subscriptionId]);
    const token = at(message, ['params', 'progressToken']);
    const taskId = taskIdIn(message);
    const named =
      (subscription === undefined ? undefined : talk.open.get(subscription)?.exchange) ??
      (taskId === undefined ? undefined : this.#ownerOfTask(talk, message, taskId)) ??
      (token === undefined ? undefined : this.#tokens.get(keyIn(talk, token)));
    if (named !== undefined) return named;
    const open = [...talk.open.values()].reverse();
    const call = open.find((each) => CALLS.has(each.message['method'])) ?? open[0];
    return call?.exchange ?? talk.last;
  }

  /** A question about a task goes to the client that waits for its result. */
  #ownerOfTask(talk: Talk, message: JsonObject, taskId: string): number | undefined {
    const isQuestion = message['id'] !== undefined;
    const waiting = [...talk.open.values()].find(
      (each) =>
        isQuestion &&
        each.message['method'] === METHODS.tasksResult &&
        taskIdIn(each.message) === taskId,
    );
    return waiting?.exchange ?? this.#tasks.get(taskId);
  }
}

function keyIn({ name }: Talk, id: unknown): string {
  return `${name} ${JSON.stringify(id)}`;
}
