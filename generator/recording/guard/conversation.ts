import type { Lock } from '../../contracts/lock/index.js';
import type { Ruling } from '../proxy/index.js';
import { isRecord, LiveConversation, other } from '../../validate/index.js';
import type { Finding, Library, Party } from '../../validate/index.js';
import { Calls, isRequest } from '../index.js';
import type { OpenCall, ToolResult } from '../index.js';
import { GUARD_FINDINGS } from './finding.js';
import type { GuardFinding, LockBreach } from './finding.js';
import { Promises } from './promises.js';
import { refusalOf, refusalOfUnread } from './refusals.js';

type Message = Readonly<Record<string, unknown>>;

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

  async judge(message: unknown, from: Party): Promise<Judged> {
    if (Array.isArray(message)) return await this.#batch(message, from);
    try {
      return await this.#judge(message, from);
    } catch (error) {
      // The stack is too small for it.
      if (!(error instanceof RangeError)) throw error;
      return this.#tooDeep(isRecord(message) ? message : {}, from);
    }
  }

  #tooDeep(message: Message, from: Party): Judged {
    const text = 'The message nests too deeply to be checked.';
    const finding = this.#finding({ code: 'too-deep', message: text }, message, from, undefined);
    return { findings: [finding], ruling: refusalOfUnread(message, text) };
  }

  async #judge(message: unknown, from: Party): Promise<Judged> {
    const rules: readonly Finding[] = await this.#rules.judge(message, from);
    if (!isRecord(message))
      return { findings: rules, ruling: rules.some(isError) ? {} : undefined };
    const { breaches, call, result } = this.#compare(message, from);
    // The values of an invalid message are not those that the lock is about.
    const more = rules.some(isError) ? [] : breaches;
    const findings = [
      ...rules,
      ...more.map((breach) => this.#finding(breach, message, from, call)),
    ];
    const wrong = findings.filter(isError);
    if (wrong.length === 0) return { findings, ruling: undefined };
    const isDrift = !rules.some(isError) && wrong.every(({ code }) => DRIFT.has(code));
    if (isDrift && this.#promises && !isRequest(message)) {
      return { findings, ruling: { instead: this.#promises.mended(message, call) } };
    }
    const { revision } = this.#rules;
    const ruling = refusalOf({ message, from, findings: wrong, revision, call, result });
    return { findings, ruling };
  }

  /** Notes an answer that is given in place of the other side, so that its request is not open any more. */
  async answered(ruling: Ruling | undefined, from: Party): Promise<void> {
    for (const answer of [ruling?.back ?? []].flat()) {
      await this.#rules.judge(answer, other(from));
      if (from === 'client' && isRecord(answer)) this.#calls.answered(answer);
    }
  }

  /** A batch is passed on as a whole, or each of its requests is refused. */
  async #batch(messages: readonly unknown[], from: Party): Promise<Judged> {
    const batch = this.#rules.judgeBatch(messages.length);
    const judged: Judged[] = [];
    for (const each of messages) judged.push(await this.judge(each, from));
    const findings = [...batch, ...judged.flatMap((each) => each.findings)];
    if (!findings.some(isError)) return { findings, ruling: undefined };
    const back = messages
      .filter(isRecord)
      .filter(isRequest)
      .map((request) =>
        refusalOf({
          message: request,
          from,
          findings: findings.filter(isError),
          revision: this.#rules.revision,
          call: undefined,
          result: undefined,
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

function isError({ severity }: { readonly severity: string }): boolean {
  return severity === 'error';
}
