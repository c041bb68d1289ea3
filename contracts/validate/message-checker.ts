import { quote } from '../../json-schema/text.js';
import { HANDSHAKES } from '../../runtime/rules/messages.js';
import { announcementIn, NOTHING_ANNOUNCED, PLACES, type Announcement } from './announcement.js';
import { declaredBy } from './capabilities.js';
import { other, type Party } from './direction.js';
import { BoundedMap } from './bounded.js';
import {
  BOUNDS,
  createdTask,
  Exchanges,
  isId,
  keyOf,
  partyOf,
  type OpenRequest,
  type Sender,
} from './exchanges.js';
import type { Checked } from './checked.js';
import {
  cut,
  type Breach,
  type Finding,
  RULES,
  type FindingCode,
  type Severity,
} from './finding.js';
import type { Library } from './library.js';
import { inferSender, kindOf, openRequest, type Properties } from './message.js';
import {
  sendersOf,
  type Dialect,
  type SchemaCheck,
  checkDefinition,
  type Fault,
} from './protocol.js';
import { isRecord, type Path } from './access.js';
import type { Unit } from './read.js';
import { Reporter, type Case } from './reporter.js';
import { Rules, type Ruling } from './rules.js';
import type { Tally } from './tally.js';
import { jsonPointer } from '../../json-schema/pointer.js';

export interface CheckerOptions {
  readonly file: string;
  readonly library: Library;
  readonly tally: Tally;
  readonly report: (finding: Finding) => void;
  readonly onMessage?: ((checked: Checked) => void) | undefined;
  /** The revision of all messages, if the caller set it. */
  readonly revision: string | undefined;
  /** Ids of active extensions that the caller set. */
  readonly extensions: readonly string[];
  /** The sender of messages without a tag. */
  readonly from: Party | undefined;
  /** Whether a server announces something in its answers to handshakes only: it must not choose how it is judged. */
  readonly isLive?: boolean;
}

/** Names for counts without a method. */
const UNKNOWN_METHOD = '(unknown method)';
/**
 * Before a server has answered, a client may ask whether it reads: by a method that each server of sessions has, since a
 * server without sessions answers an error.
 */
const PROBE = 'ping';
const NO_REQUEST = '(no request)';
const NO_MESSAGE = '(no message)';
const ALL = ['client', 'server', 'unknown'] as const;

/** Checks the messages of one conversation, in their order. */
export class MessageChecker {
  readonly spoken: Revision;
  /** The number of messages before the first of this conversation. */
  #start: number | undefined;
  /** The last request `initialize` that is an element of an array. */
  #listed: Case | undefined;
  #exchanges = new Exchanges();
  readonly #rules: Rules;
  #senders = new Set<Party>();
  readonly #reporter: Reporter;
  readonly #knownExtensions: readonly string[];

  /** Requests of unknown revisions, by sender and id. */
  readonly #unread = new BoundedMap<true>(BOUNDS);

  constructor(readonly options: CheckerOptions) {
    this.#reporter = new Reporter(options.file, options.report);
    const { library } = options;
    this.#knownExtensions = library.protocols.extensions.map(({ id }) => id);
    const readSchema: SchemaCheck = (schema) => library.schemaCheck?.(schema) ?? (() => undefined);
    this.#rules = new Rules(this.#exchanges, library.protocols.loadSchemaCheck && readSchema);
    this.spoken = new Revision(library, options.revision, options.extensions);
  }

  unit({ value, path, line, from, record }: Unit): void {
    if (!Array.isArray(value)) {
      this.#message(value, { line, path, from, record });
      return;
    }
    this.batch(value.length, { line, path });
    value.forEach((item: unknown, index) => {
      this.#message(item, { line, path: [...path, index], from, record, isBatched: true });
    });
  }

  /** Checks that the revision allows a batch. */
  batch(length: number, at: Case): void {
    const dialect = this.spoken.dialect;
    if (dialect && !dialect.validators.batches) {
      this.#reporter.add(
        'bad-batch',
        `Revision ${dialect.revision} has no batches: send each message alone.`,
        at,
      );
    } else if (length === 0) {
      this.#reporter.add('bad-batch', 'A batch contains at least one message.', at);
    }
    this.#reporter.take();
  }

  /** Checks messages that were judged alone, before it was clear that they are a batch. */
  wasBatch(length: number, line: number): void {
    this.batch(length, { line, path: [] });
    const dialect = this.spoken.dialect;
    const initialize = this.#listed;
    if (!dialect || !initialize || initialize.line < line) return;
    for (const { code, message, key } of inBatch('initialize', dialect)) {
      this.#reporter.add(code, message, initialize, key);
    }
    this.#reporter.take();
  }

  end(): void {
    this.options.tally.counts.unanswered += this.#exchanges.unanswered;
  }

  #message(value: unknown, at: Case): void {
    this.options.tally.counts.messages += 1;
    this.#start ??= this.#before;
    const announced = this.#mayAnnounce(value, at) ? announcementIn(value) : NOTHING_ANNOUNCED;
    for (const id of announced.extensions) this.spoken.declare(id);
    const seen = this.#judged(value, announced, at);
    const findings = this.#reporter.take();
    const { onMessage } = this.options;
    if (!onMessage) return;
    const { line, path, record } = at;
    const { from, kind, method, answers } = seen;
    const facts = { line, path, record, from, kind, method, answers };
    onMessage({ at: this.#before, value, findings, ...facts });
  }

  #mayAnnounce(value: unknown, { from }: Case): boolean {
    if (this.options.isLive !== true || from === 'client') return true;
    const id = isRecord(value) && value['method'] === undefined ? value['id'] : undefined;
    if (!this.#exchanges.requestersOf(id).includes('client')) return false;
    return HANDSHAKES.has(this.#exchanges.find(id, ['client'])?.method ?? '');
  }

  /** Forgets a request of the client that its transport refused. */
  withdraw(id: unknown): void {
    this.#exchanges.withdraw(id, 'client');
  }

  /** The names of answers in a request that no question of the server asked for. */
  unaskedIn(params: unknown): string[] {
    return this.#rules.unaskedIn(params);
  }

  /** Returns the facts about a message. */
  #judged(value: unknown, announced: Announcement, at: Case): Case {
    if (isRecord(value)) {
      return value['method'] === undefined
        ? this.#answer(value, announced, at)
        : this.#call(value, announced, at);
    }
    const dialect = this.#settle(announced, at);
    if (dialect) this.#check(value, NO_MESSAGE, dialect, at);
    return at;
  }

  /** A request or a notification. */
  #call(value: Properties, announced: Announcement, at: Case): Case {
    const dialect = this.#settle(announced, at);
    if (!dialect) return this.#unchecked(value, at);
    const method = typeof value['method'] === 'string' ? value['method'] : undefined;
    const senders = method === undefined ? undefined : sendersOf(method, dialect);
    const isProbe = method === PROBE && dialect.stateless && !this.#senders.has('server');
    const from = at.from ?? this.options.from ?? inferSender(value, dialect, this.#rules);
    const call: Case = { ...at, from, kind: kindOf(value), method };
    if (from) this.#senders.add(from);
    else if (senders) this.#reporter.noSender(`Both sides send ${quote(method ?? '')}`, call);
    const isKnown =
      (senders !== undefined || (isProbe && from !== 'server')) && method !== undefined;
    const ruling = this.#ruleOn(value, dialect, call);
    this.#check(value, isKnown ? method : UNKNOWN_METHOD, dialect, call, { ruling });
    return call;
  }

  /** A request or a notification of an unknown revision. A server may refuse it. */
  #unchecked(value: Properties, at: Case): Case {
    const { method, id } = value;
    const name = typeof method === 'string' ? method : undefined;
    const from = at.from ?? this.options.from;
    if (isId(id)) this.#unread.set(keyOf(from ?? 'unknown', id), true, []);
    return { ...at, from, kind: kindOf(value), method: name };
  }

  #ruleOn(value: Properties, dialect: Dialect, call: Case): Ruling {
    const { method, from, kind } = call;
    if (method === undefined || kind === undefined) return NO_RULING;
    const before = this.#before;
    const sent = {
      method,
      kind,
      params: value['params'],
      from,
      dialect,
      before,
      record: call.record,
    };
    if (kind !== 'request') return this.#rules.notification(sent);
    const declared = declaredBy(sent.params, this.#knownExtensions, this.options.extensions);
    const request = openRequest(value, sent, this.#rules.tasks, declared);
    if (!request) return NO_RULING;
    if (method === 'initialize') {
      this.#begin(before);
      if (!call.isBatched && isElement(call.path)) this.#listed = call;
    }
    const reused = this.#open(request, dialect);
    const ruling = this.#rules.request(sent, request);
    const batched = call.isBatched ? inBatch(method, dialect) : [];
    return { ...ruling, breaches: [...reused, ...batched, ...ruling.breaches] };
  }

  /** Begins a session, which may also be the start of the recording. */
  #begin(before: number): void {
    if (before === this.#start) this.#rules.isWhole = true;
    this.#exchanges.begin();
  }

  #open(request: OpenRequest, dialect: Dialect): Breach[] {
    const was = this.#exchanges.add(request);
    const isReused =
      was === 'open' || (was === 'closed' && !dialect.stateless && this.#rules.isWhole);
    if (!isReused) return [];
    const state = was === 'open' ? 'is still without an answer' : 'was sent before in this session';
    const message = `A request with the id ${sayId(request.id)} ${state}.`;
    return [{ code: 'reused-id', message, key: ['id'] }];
  }

  /** The number of messages of the input before the current one. */
  get #before(): number {
    return this.options.tally.counts.messages - 1;
  }

  /** A result or an error. */
  #answer(value: Properties, announced: Announcement, at: Case): Case {
    const { id, result } = value;
    const sender = at.from ?? this.options.from;
    const waiting = sender ? [other(sender), 'unknown' as const] : this.#exchanges.requestersOf(id);
    const isClear = sender !== undefined || waiting.length === 1;
    const becameTask = createdTask(result) !== undefined;
    const request = isClear ? this.#exchanges.answer(id, waiting, becameTask) : undefined;
    const requester = partyOf(request?.sender);
    const answer: Case = {
      ...at,
      from: sender ?? (requester && other(requester)),
      kind: kindOf(value),
      method: request?.method,
      answers: request?.at,
    };
    const settles = !request || request.method === 'initialize';
    const dialect = this.#settle(settles ? announced : {}, answer, request?.revision);
    if (answer.from) this.#senders.add(answer.from);
    if (!request && isId(id) && !this.#answersUnread(id, waiting))
      this.#missRequest(id, waiting.length, answer);
    if (!dialect) return answer;
    const reply = { message: value, result, dialect, before: this.#before, record: at.record };
    const ruling = request ? this.#rules.answer({ ...reply, request }) : NO_RULING;
    this.#check(value, rowOf(request, dialect), dialect, answer, { ruling, request });
    return answer;
  }

  /** Whether an answer is that to a request of an unknown revision. */
  #answersUnread(id: string | number, waiting: readonly Sender[]): boolean {
    return [...waiting, 'unknown' as const].some((each) => this.#unread.delete(keyOf(each, id)));
  }

  #missRequest(id: unknown, waiting: number, answer: Case): void {
    const { from } = answer;
    const requesters = from ? [other(from), 'unknown' as const] : ALL;
    if (this.#exchanges.wasAnswered(id, requesters)) {
      const message = `The request with the id ${sayId(id)} was answered before.`;
      this.#reporter.add('duplicate-answer', message, answer, ['id']);
      return;
    }
    this.options.tally.counts.unasked += 1;
    if (!from) {
      const many = waiting > 1 ? 'Both sides wait' : 'No open request waits';
      this.#reporter.noSender(`${many} for an answer to the id ${sayId(id)}`, answer);
    } else if (this.#senders.has(other(from))) {
      const forgotten = this.#exchanges.isForgetful ? ' among those still in memory' : '';
      const whose = `No request of the ${other(from)} has the id ${sayId(id)}${forgotten}`;
      const isSure = this.#rules.isWhole && !this.#exchanges.isForgetful;
      const message = `${whose}: only the envelope of this answer was checked.`;
      this.#reporter.add('unasked', message, answer, [], {}, isSure ? 'error' : 'warning');
    }
  }

  /** The dialect of a message, which may also set that of later ones. `fallback`: the revision of its request. */
  #settle(announced: Partial<Announcement>, at: Case, fallback?: string): Dialect | undefined {
    const dialect = this.spoken.settle(announced, fallback);
    if (dialect) this.options.tally.revisions.add(dialect.revision);
    else this.#refuse(this.options.revision === undefined ? announced : {}, at);
    return dialect;
  }

  #refuse(announced: Partial<Announcement>, at: Case): void {
    this.options.tally.counts.unchecked += 1;
    const known = this.options.library.revisions.join(', ');
    for (const key of ['own', 'settled', 'proposed'] as const) {
      const version = announced[key];
      if (version === undefined) continue;
      const received = `the string ${quote(cut(version))}`;
      const message = `Unknown revision ${quote(cut(version))}. Known: ${known}.`;
      const more = { expected: `one of ${known}`, received };
      this.#reporter.add('unknown-revision', message, at, PLACES[key], more);
      return;
    }
    if (this.spoken.revision !== undefined) return;
    const message = `No message contains the revision: give --revision, one of ${known}.`;
    this.#reporter.once('no-revision', message, at);
  }

  #check(
    value: unknown,
    row: string,
    dialect: Dialect,
    at: Case,
    { ruling = NO_RULING, request }: { ruling?: Ruling; request?: OpenRequest | undefined } = {},
  ): void {
    if (row === PROBE && dialect.stateless) return this.options.tally.judged(row, at.kind, true);
    const { validators, wires, revision } = dialect;
    const answered = row === UNKNOWN_METHOD || ruling.hasResult ? undefined : request?.answered;
    const verdict = validators.validateMessage(value, {
      from: at.from ?? 'client',
      maxErrors: FAULTS,
      extensions: wires,
      methodOf: () => answered,
    });
    const breaches = [...ruling.breaches, ...resultAndError(value)];
    const faults = verdict.ok ? partFaults(ruling, dialect) : verdict.errors;
    const isValid = faults.length === 0 && breaches.every((each) => severityOf(each) !== 'error');
    this.options.tally.judged(row, at.kind, isValid);
    const [first] = faults;
    const anyone = !at.from && row === UNKNOWN_METHOD && first?.pointer === '/method';
    for (const fault of faults) {
      this.#reporter.fault(anyone ? { ...fault, expected: `a method of ${revision}` } : fault, at);
    }
    for (const { code, message, key, severity } of breaches) {
      if (faults.length > 0 && !ALWAYS.has(code)) continue;
      this.#reporter.add(code, message, at, key, {}, severity);
    }
  }
}

/** Whether a message is an element of the array that the input begins with. */
function isElement([index, ...others]: Path): boolean {
  return typeof index === 'number' && others.length === 0;
}

/** The method under which an answer is counted. */
function rowOf(request: OpenRequest | undefined, dialect: Dialect): string {
  if (!request) return NO_REQUEST;
  const isKnown = request.method === PROBE || sendersOf(request.method, dialect) !== undefined;
  return isKnown ? request.method : UNKNOWN_METHOD;
}

function sayId(id: unknown): string {
  return typeof id === 'string' ? quote(id) : String(id);
}

/** Findings of one message's definition. */
const FAULTS = 100;
/** Rules that also apply to messages that do not match their definition. Other rules need valid messages. */
const ALWAYS: ReadonlySet<FindingCode> = new Set(['reused-id', 'result-and-error']);
const NO_RULING: Ruling = { breaches: [], parts: [] };

function severityOf({ code, severity = RULES[code].severity }: Breach): Severity {
  return severity;
}

/** Elsewhere, the batch itself is a finding. */
function inBatch(method: string, { validators }: Dialect): Breach[] {
  if (method !== 'initialize' || !validators.batches) return [];
  const message = 'initialize is in a batch: send it alone.';
  return [{ code: 'batched-initialize', message, key: ['method'] }];
}

/** The faults of a message's parts, with pointers into the message. */
function partFaults({ parts }: Ruling, dialect: Dialect): Fault[] {
  return parts.flatMap(({ key, definition, value }) => {
    const base = jsonPointer(key);
    return checkDefinition(definition, value, dialect, FAULTS).map((fault) => ({
      ...fault,
      pointer: base + fault.pointer,
      message:
        fault.message.replace(/^The value\b/, '') === fault.message
          ? base + fault.message
          : fault.message.replace(/^The value\b/, () => base),
    }));
  });
}

function resultAndError(value: unknown): Breach[] {
  if (!isRecord(value) || value['method'] !== undefined) return [];
  if (value['result'] === undefined || value['error'] === undefined) return [];
  const message = 'An answer has a result or an error, not both.';
  return [{ code: 'result-and-error', message, key: ['error'] }];
}

/** The revision of a conversation with its active extensions, as its messages announce them. */
class Revision {
  /** That of messages that do not name one. It may be unknown. */
  revision: string | undefined;
  readonly extensions: Set<string>;
  /** What the client proposed. It may go on before the answer, and then speaks this revision. */
  #proposed: string | undefined;
  /** The dialect of the last message, with the number of extensions that were active. */
  #last: { readonly dialect: Dialect; readonly extensions: number } | undefined;

  /** `given`: the revision of all messages, whatever they announce. */
  constructor(
    readonly library: Library,
    readonly given: string | undefined,
    extensions: readonly string[],
  ) {
    this.revision = given;
    this.extensions = new Set(extensions);
  }

  /** The dialect of messages that do not name a revision. */
  get dialect(): Dialect | undefined {
    return this.#dialectOf(this.revision ?? this.#proposed);
  }

  /** Notes that a message declares an extension. */
  declare(id: string): void {
    if (this.library.protocols.extensions.some((known) => known.id === id)) this.extensions.add(id);
  }

  /** The dialect of a message with these announcements, which may also set that of later ones. */
  settle(announced: Partial<Announcement>, fallback: string | undefined): Dialect | undefined {
    const { own, settled, proposed } = this.given === undefined ? announced : {};
    this.revision = own ?? settled ?? this.revision;
    const known = this.library.knows(proposed) ? proposed : undefined;
    this.#proposed = known ?? this.#proposed;
    return this.#dialectOf(own ?? settled ?? known ?? fallback ?? this.revision ?? this.#proposed);
  }

  #dialectOf(revision: string | undefined): Dialect | undefined {
    const last = this.#last;
    if (last?.dialect.revision === revision && last?.extensions === this.extensions.size) {
      return last?.dialect;
    }
    const dialect = this.library.dialect(revision, this.extensions);
    if (dialect) this.#last = { dialect, extensions: this.extensions.size };
    return dialect;
  }
}
