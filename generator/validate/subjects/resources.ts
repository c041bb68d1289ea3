import { quote } from '../../diagnostics/index.js';
import { textAt } from '../access.js';
import { cut } from '../finding.js';
import type { Breach } from '../finding.js';
import { NOTHING } from './subject.js';
import type { Call, Conversation, Subject } from './subject.js';

/** Updates of resources in sessions. A subscription may cover resources below its own, so any one is enough. */
export class ResourceUpdates implements Subject {
  #isSubscribed = false;

  constructor(readonly conversation: Conversation) {}

  request({ method }: Call): readonly Breach[] {
    if (method === 'initialize') this.#isSubscribed = false;
    if (method === 'resources/subscribe') this.#isSubscribed = true;
    return NOTHING;
  }

  notification({ method, from, params, dialect }: Call): readonly Breach[] {
    if (method !== 'notifications/resources/updated' || from !== 'server') return NOTHING;
    if (dialect.stateless || this.#isSubscribed || !this.conversation.isWhole) return NOTHING;
    const uri = cut(textAt(params, 'uri') ?? '');
    const message = `The client subscribed to no resource, but gets an update of ${quote(uri)}.`;
    return [{ code: 'unrequested-update', message, key: ['params', 'uri'] }];
  }
}
