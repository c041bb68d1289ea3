import type { Lock } from '../../lock/index.js';
import type { Fault, Passing, Ruling } from '../proxy/index.js';
import { ERROR_CODES } from '../../../runtime/protocol.js';
import { classify, refuseHeaders } from '../../../runtime/transport/http/classify.js';
import type { Incoming } from '../../../runtime/transport/http/incoming.js';
import { mismatch, Refused } from '../../../runtime/transport/http/reply.js';
import { jsonPointer } from '../../../json-schema/pointer.js';
import {
  isId,
  isRecord,
  LiveConversation,
  other,
  textAt,
  type Finding,
  type Library,
  type Party,
  at,
} from '../../validate/index.js';
import { Calls, isRequest, type OpenCall, type ToolResult } from '../index.js';
import { GUARD_FINDINGS, isRefused, type GuardFinding, type LockBreach } from './finding.js';
import { Promises } from './promises.js';
import { refusalOf, refusalOfUnread } from './refusals.js';
import { quote } from '../../../json-schema/text.js';

type Message = Readonly<Record<string, unknown>>;

/** What is no message, and cannot be judged. */
type Unread = Omit<Fault, 'kind'> & { readonly kind: Fault['kind'] | 'too-deep' };

/** A message with what was found in it, and what is to become of it. */
export interface Judged {
  readonly findings: readonly GuardFinding[];
  /** Undefined when it may be passed on. */
  readonly ruling: Ruling | undefined;
}

/** Judges the messages of one session, in their order. */
export class Conversation {
  readonly #name: string;
  readonly #rules: LiveConversation;
  readonly #promises: Promises | undefined;
  readonly #calls = new Calls();

  constructor(name: string, library: Library, lock: Lock | undefined) {
    this.#name = name;
    this.#rules = new LiveConversation(name, library);
    this.#promises = lock && new Promises(lock);
  }

  async judge(passing: Passing): Promise<Judged> {
    const { message, from, fault } = passing;
    if (fault) return await this.#unread(fault, from);
    if (Array.isArray(message)) return await this.#batch(passing, message);
    try {
      return await this.#judge(passing);
    } catch (error) {
      // The stack is too small for it.
      if (!(error instanceof RangeError)) throw error;
      return await this.#tooDeep(isRecord(message) ? message : {}, from);
    }
  }

  async #tooDeep({ id, method }: Message, from: Party): Promise<Judged> {
    return await this.#unread(
      {
        kind: 'too-deep',
        code: ERROR_CODES.InvalidRequest,
        why: 'nests too deeply to be checked',
        address: isId(id) ? { id, isRequest: method !== undefined } : undefined,
      },
      from,
    );
  }

  /** What is no message ends the request that it is, or that it answers. */
  async #unread({ kind, code, why, address }: Unread, from: Party): Promise<Judged> {
    const text = `A message of the ${from} ${why}.`;
    const finding = this.#finding({ code: kind, message: text }, {}, from, undefined);
    const findings = [finding];
    if (address?.isRequest !== false) {
      const isAnswered = address !== undefined || from === 'client';
      return { findings, ruling: isAnswered ? refusalOfUnread(address?.id, code, text) : {} };
    }
    const { instead } = refusalOfUnread(address.id, ERROR_CODES.InternalError, text);
    const codes = (await this.#rules.judge(instead, from)).map((each) => each.code);
    if (from === 'server') this.#calls.answered(instead);
    // What nests too deeply has ended its request before it was too deep to be checked.
    const isLate = kind !== 'too-deep' && codes.includes('duplicate-answer');
    return { findings, ruling: isLate || codes.includes('unasked') ? {} : { instead } };
  }

  async #judge({ message, from, headers }: Passing): Promise<Judged> {
    const { unchecked } = this.#rules;
    const rules: readonly Finding[] = await this.#rules.judge(message, from);
    if (!isRecord(message))
      return { findings: rules, ruling: rules.some(isRefused) ? {} : undefined };
    const { breaches, call, result } = this.#compare(message, from);
    const isWrong = rules.some(({ severity }) => severity === 'error');
    const refused = from === 'client' ? this.#refusedByServer(message, headers) : undefined;
    // The values of an invalid message are not those that the lock is about.
    const more = isWrong ? [] : [...breaches, ...ambiguousNames(message)];
    if (refused && headers && !isWrong) more.push(wrongHeaders(refused.message));
    if (this.#rules.unchecked > unchecked && !rules.some(isRefused)) more.push(UNKNOWN_REVISION);
    const findings = [
      ...rules,
      ...more.map((breach) => this.#finding(breach, message, from, call)),
    ];
    const wrong = findings.filter(isRefused);
    if (wrong.length === 0) return { findings, ruling: undefined };
    const instead = this.#mended(message, wrong, call);
    if (instead !== undefined) return { findings, ruling: { instead } };
    const { revision } = this.#rules;
    const ruling = refusalOf({ message, from, findings: wrong, revision, call, result, refused });
    return { findings, ruling };
  }

  /** The message without what a receiver may not see, or would ignore. */
  #mended(message: Message, wrong: readonly GuardFinding[], call: OpenCall | undefined): unknown {
    if (!isRequest(message)) {
      const isDrift = wrong.every(({ code }) => DRIFT.has(code));
      return isDrift ? this.#promises?.mended(message, call) : undefined;
    }
    const names = this.#rules.unaskedIn(message);
    const places = names.map((name) => `${jsonPointer(['params', 'inputResponses', name])}/`);
    const isIgnored = ({ pointer = '' }: GuardFinding): boolean =>
      places.some((place) => `${pointer}/`.startsWith(place));
    if (!wrong.every(isIgnored)) return undefined;
    const params = message['params'] as Message;
    const kept = Object.entries(params['inputResponses'] as Message).filter(
      ([name]) => !names.includes(name),
    );
    return { ...message, params: { ...params, inputResponses: Object.fromEntries(kept) } };
  }

  /** How a server refuses a request by its headers and its envelope. */
  #refusedByServer(message: Message, headers: Headers | undefined): Refused | undefined {
    const incoming = headersAlone(headers);
    const kind = classify(incoming, message);
    if (kind instanceof Refused) return kind;
    if (!headers || !isRequest(message)) return undefined;
    const { revision } = this.#rules;
    const version = headers.get('mcp-protocol-version');
    if (kind.kind === 'stateless') {
      const schema = this.#promises?.inputSchema(textAt(message, 'params', 'name') ?? '');
      return refuseHeaders(
        incoming,
        message,
        schema === undefined ? undefined : { inputSchemaOf: () => schema },
      );
    }
    if (kind.kind === 'handshake' || version === null || version === revision) return undefined;
    return mismatch(version, `the session speaks ${String(revision)}`);
  }

  /** A request of the client gets no answer. */
  withdraw(request: unknown): void {
    this.#rules.withdraw(request);
  }

  /** Notes an answer that is given in place of the other side, so that its request is not open any more. */
  async answered(ruling: Ruling | undefined, from: Party): Promise<void> {
    for (const answer of [ruling?.back ?? []].flat()) {
      await this.#rules.judge(answer, other(from));
      if (from === 'client' && isRecord(answer)) this.#calls.answered(answer);
    }
  }

  /** A batch is passed on as a whole, or each of its requests is refused. */
  async #batch(passing: Passing, messages: readonly unknown[]): Promise<Judged> {
    const { from } = passing;
    const batch = this.#rules.judgeBatch(messages.length);
    const judged: Judged[] = [];
    for (const message of messages) judged.push(await this.judge({ ...passing, message }));
    const findings = [...batch, ...judged.flatMap((each) => each.findings)];
    const wrong = findings.filter(isRefused);
    if (wrong.length === 0 && judged.every(({ ruling }) => !ruling)) {
      return { findings, ruling: undefined };
    }
    const back = messages
      .filter(isRecord)
      .filter(isRequest)
      .map((request) =>
        refusalOf({
          message: request,
          from,
          findings: wrong,
          revision: this.#rules.revision,
          call: undefined,
          result: undefined,
          refused: undefined,
        }),
      );
    const isAsked = back.length > 0;
    const answers = judged.map(({ ruling }, index) => (ruling ? ruling.instead : messages[index]));
    const passed = isAsked ? [] : answers.filter((each) => each !== undefined);
    return {
      findings,
      ruling: {
        ...(isAsked && { back: back.map((each) => each.back) }),
        ...(passed.length > 0 && { instead: passed }),
      },
    };
  }

  #compare(
    message: Message,
    from: Party,
  ): {
    breaches: LockBreach[];
    call: OpenCall | undefined;
    result: ToolResult | undefined;
  } {
    const promises = this.#promises;
    if (from === 'client') {
      this.#calls.asked(message);
      const breaches = promises && isRequest(message) ? promises.request(message) : [];
      return { breaches, call: undefined, result: undefined };
    }
    const call = this.#calls.answered(message);
    const result = this.#calls.resultIn(message, call);
    const { revision } = this.#rules;
    const breaches = promises ? promises.answer(message, call, result, revision) : [];
    return { breaches, call, result };
  }

  #finding(
    { code, message, pointer, change }: LockBreach,
    { method, id }: Message,
    from: Party,
    call: OpenCall | undefined,
  ): GuardFinding {
    const name = method ?? call?.method;
    const asked = id === undefined ? 'notification' : 'request';
    return {
      file: this.#name,
      line: this.#rules.count,
      severity: GUARD_FINDINGS[code].severity,
      code,
      message,
      ...(pointer !== undefined && { pointer }),
      ...(change && { change }),
      kind: method === undefined ? 'response' : asked,
      ...(typeof name === 'string' && { method: name }),
      from,
    };
  }
}

/** Breaches of the lock that a message can be passed on without. */
const DRIFT: ReadonlySet<string> = new Set(['not-in-lock', 'differs-from-lock']);

const UNKNOWN_REVISION: LockBreach = {
  code: 'unchecked',
  message: 'The revision of the message is not known.',
};

function wrongHeaders(why: string): LockBreach {
  return { code: 'wrong-headers', message: `${why}.` };
}

/** What the rules of HTTP want of a request. There are no headers over pipes. */
function headersAlone(headers = new Headers()): Pick<Incoming, 'header' | 'headerNames'> {
  return { header: (name) => headers.get(name), headerNames: () => headers.keys() };
}

/** Members that decide what a message means. */
const MEMBERS = [
  ...['jsonrpc', 'id', 'method', 'params', 'result', 'error', '_meta', 'capabilities'],
  ...['protocolVersion', 'instructions', 'tools', 'prompts', 'resources', 'resourceTemplates'],
  ...['nextCursor', 'name', 'uri', 'arguments', 'content', 'contents', 'messages'],
  ...['structuredContent', 'isError', 'resultType', 'task', 'taskId', 'status'],
  ...['inputRequests', 'inputResponses', 'requestState', 'requestId', 'code', 'data'],
];
const BY_LOWER_CASE = new Map(MEMBERS.map((name) => [name.toLowerCase(), name]));

/** Names that only some readers take for a member of the protocol, because they ignore cases. */
function ambiguousNames(message: unknown): LockBreach[] {
  const places = [
    [],
    ['params'],
    ['result'],
    ['result', 'result'],
    ['params', 'result'],
    ['error'],
  ];
  return places.flatMap((place) => {
    const object = at(message, ...place);
    return Object.keys(isRecord(object) ? object : {}).flatMap((name): LockBreach[] => {
      const known = BY_LOWER_CASE.get(name.toLowerCase());
      if (known === undefined || known === name) return [];
      const text = `Some readers take the name ${quote(name)} for ${quote(known)}.`;
      return [{ code: 'ambiguous', message: text, pointer: jsonPointer([...place, name]) }];
    });
  });
}
