import { quote } from '../../../json-schema/text.js';
import { textAt } from '../access.js';
import { BoundedMap } from '../bounded.js';
import { BOUNDS, keyOf } from '../exchanges.js';
import type { OpenRequest } from '../exchanges.js';
import { cut } from '../finding.js';
import type { Breach } from '../finding.js';
import { coversResource } from '../subscriptions.js';
import { NOTHING } from './subject.js';
import type { AnsweredRequest, Call, Conversation, Subject } from './subject.js';

/** An address, and the number of messages before the request that names it. */
interface Named {
  readonly uri: string;
  readonly before: number;
}

/** Updates of resources in sessions. */
export class ResourceUpdates implements Subject {
  /** By address. */
  #subscribed = new BoundedMap<Named>(BOUNDS);
  /** By request to unsubscribe. Updates may be on their way until its answer. */
  #leaving = new BoundedMap<Named>(BOUNDS);

  constructor(readonly conversation: Conversation) {}

  request({ method, params, before }: Call, { id, sender }: OpenRequest): readonly Breach[] {
    if (method === 'initialize') this.#subscribed = new BoundedMap<Named>(BOUNDS);
    const uri = textAt(params, 'uri');
    if (uri === undefined) return NOTHING;
    if (method === 'resources/subscribe') this.#subscribed.set(uri, { uri, before }, [uri]);
    if (method === 'resources/unsubscribe') {
      this.#leaving.set(keyOf(sender, id), { uri, before }, [uri]);
    }
    return NOTHING;
  }

  answer({ request: { method, sender, id }, result }: AnsweredRequest): readonly Breach[] {
    if (method !== 'resources/unsubscribe' || result === undefined) return NOTHING;
    const left = this.#leaving.get(keyOf(sender, id));
    const since = left && this.#subscribed.get(left.uri)?.before;
    // The client may have subscribed again before the answer.
    if (left && since !== undefined && since < left.before) this.#subscribed.delete(left.uri);
    return NOTHING;
  }

  notification({ method, from, params, dialect }: Call): readonly Breach[] {
    if (method !== 'notifications/resources/updated' || from !== 'server') return NOTHING;
    const updated = textAt(params, 'uri');
    if (dialect.stateless || updated === undefined || !this.conversation.isWhole) return NOTHING;
    if (this.#subscribed.get(updated) || this.#subscribed.forgotten > 0) return NOTHING;
    if (this.#subscribed.some(({ uri }) => coversResource(uri, updated))) return NOTHING;
    const message = `The client is subscribed neither to ${quote(cut(updated))} nor to a resource above it.`;
    return [{ code: 'unrequested-update', message, key: ['params', 'uri'] }];
  }
}
