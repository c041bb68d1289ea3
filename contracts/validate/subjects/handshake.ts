import { quote } from '../../../json-schema/text.js';
import type { Breach } from '../finding.js';
import { NOTHING } from './subject.js';
import type { AnsweredRequest, Call, Subject } from './subject.js';

/** `unknown`: the recording does not show the handshake. */
type Phase = 'unknown' | 'asked' | 'answered' | 'ready';

const INITIALIZED = 'notifications/initialized';

/** The order of `initialize`, its answer, `notifications/initialized` and other requests. */
export class Handshake implements Subject {
  #phase: Phase = 'unknown';
  /** The client's first request after the answer, by the number of messages before it. */
  #first: number | undefined;
  /** Whether that request was answered. */
  #isServed = false;
  /** Whether `notifications/initialized` came before the answer. */
  #isEarly = false;

  request({ method, from, before }: Call): readonly Breach[] {
    if (method === 'initialize') {
      this.#phase = 'asked';
      this.#first = undefined;
      this.#isServed = false;
      this.#isEarly = false;
      return NOTHING;
    }
    if (this.#phase === 'unknown' || this.#phase === 'ready' || method === 'ping') return NOTHING;
    if (from === 'server') return early(method, `${INITIALIZED} is sent`);
    if (this.#phase === 'asked') return early(method, 'initialize is answered');
    if (!this.#isServed) {
      this.#first ??= before;
      return NOTHING;
    }
    this.#phase = 'ready';
    const message = `The client sends requests, but no ${INITIALIZED} after the answer to initialize.`;
    return [{ code: 'no-initialized', message, key: ['method'] }];
  }

  notification({ method, from }: Call): readonly Breach[] {
    if (method !== INITIALIZED || from !== 'client') return NOTHING;
    if (this.#phase === 'answered') this.#phase = 'ready';
    if (this.#phase !== 'asked') return NOTHING;
    this.#isEarly = true;
    const message = `${INITIALIZED} comes before the answer to initialize: send it after the answer.`;
    return [{ code: 'early-initialized', message, key: ['method'] }];
  }

  answer({ request, result }: AnsweredRequest): readonly Breach[] {
    if (request.method === 'initialize') this.#settle(result);
    else if (request.at === this.#first) this.#isServed = true;
    return NOTHING;
  }

  #settle(result: unknown): void {
    if (this.#phase !== 'asked') return;
    this.#phase = result === undefined ? 'unknown' : this.#isEarly ? 'ready' : 'answered';
  }
}

function early(method: string, until: string): readonly Breach[] {
  const message = `${quote(method)} comes too early: until ${until}, only ping is sent.`;
  return [{ code: 'early-request', message, key: ['method'] }];
}
