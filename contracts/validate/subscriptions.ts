import { quote } from '../../json-schema/text.js';
import { META_KEYS, METHODS } from '../../runtime/protocol.js';
import { FILTERS } from '../../runtime/rules/messages.js';
import { at, textAt, textsAt } from './access.js';
import { BoundedMap } from './bounded.js';
import { BOUNDS, isId, keyOf } from './exchanges.js';
import { cut } from './finding.js';
import type { Breach } from './finding.js';

/** A client's subscription. */
interface Subscription {
  readonly requested: unknown;
  /** The acknowledged filter; `undefined` before the acknowledgement. */
  granted: unknown;
}

interface Filter {
  readonly method: string;
  readonly key?: string;
}

const NAMES: readonly string[] = Object.keys(FILTERS);

/** The member of a filter that asks for a notification. */
function filterFor(method: string): (Filter & { readonly name: string }) | undefined {
  const found = Object.entries<Filter>(FILTERS).find(([, each]) => each.method === method);
  return found && { ...found[1], name: found[0] };
}

/** Follows the streams of `subscriptions/listen`. */
export class Subscriptions {
  #listens = new BoundedMap<Subscription>(BOUNDS);

  listen(id: unknown, params: unknown): void {
    if (!isId(id)) return;
    const requested = at(params, 'notifications');
    const texts = NAMES.flatMap((name) => textsAt(requested, name));
    this.#listens.set(keyOf('client', id), { requested, granted: undefined }, texts);
  }

  /** The result of a subscription names its request, and follows the acknowledgement. */
  end(id: string | number, result: unknown): Breach[] {
    if (result === undefined) return [];
    const breaches: Breach[] = [];
    const named = at(result, '_meta', META_KEYS.subscriptionId);
    if (isId(named) && named !== id) {
      const message = `The subscription id is ${say(named)}, but this answers the request ${say(id)}.`;
      const key = ['result', '_meta', META_KEYS.subscriptionId];
      breaches.push({ code: 'wrong-subscription-id', message, key });
    }
    const subscription = this.#listens.get(keyOf('client', id));
    if (subscription && subscription.granted === undefined) {
      const message = `The subscription ${say(id)} ends without an acknowledgement: send that first.`;
      breaches.push({ code: 'no-acknowledgement', message, key: ['result'] });
    }
    return breaches;
  }

  notification(method: string, params: unknown): Breach[] {
    const id = at(params, '_meta', META_KEYS.subscriptionId);
    const isAcknowledgement = method === METHODS.notificationsSubscriptionsAcknowledged;
    const isSubscribed = isAcknowledgement || filterFor(method) !== undefined;
    const key = ['params', '_meta', META_KEYS.subscriptionId];
    if (!isId(id)) {
      if (!isSubscribed || id !== undefined) return [];
      const message = `${method} comes on a listen stream: give the id of its request under ${META_KEYS.subscriptionId} in _meta.`;
      return [{ code: 'no-subscription-id', message, key }];
    }
    const subscription = this.#listens.get(keyOf('client', id));
    if (!subscription) {
      const message = `No subscriptions/listen request has the id ${say(id)}.`;
      return [{ code: 'wrong-subscription-id', message, key, severity: 'warning' }];
    }
    if (isAcknowledgement) return acknowledge(subscription, params);
    // The server ends the subscription.
    if (method === METHODS.notificationsCancelled) return [];
    return deliver(subscription, method, params, id);
  }
}

function acknowledge(subscription: Subscription, params: unknown): Breach[] {
  const granted = at(params, 'notifications');
  subscription.granted ??= granted;
  const { requested } = subscription;
  const breaches: Breach[] = [];
  const report = (what: string, ...path: (string | number)[]): void => {
    const message = `The client did not request ${what} from this subscription.`;
    const key = ['params', 'notifications', ...path];
    breaches.push({ code: 'excess-acknowledgement', message, key });
  };
  for (const name of NAMES) {
    const asked = at(requested, name);
    const got = at(granted, name);
    if (got === true && asked !== true) report(name, name);
    if (!Array.isArray(got)) continue;
    const wanted = new Set(textsAt(requested, name));
    got.forEach((each: unknown, index) => {
      if (typeof each === 'string' && !wanted.has(each)) report(quote(each), name, index);
    });
  }
  return breaches;
}

function deliver(
  { requested, granted }: Subscription,
  method: string,
  params: unknown,
  id: string | number,
): Breach[] {
  if (granted === undefined) {
    const message = `The subscription ${say(id)} is not acknowledged yet.`;
    return [{ code: 'early-notification', message, key: ['method'] }];
  }
  const filter = filterFor(method);
  const named = filter?.key === undefined ? undefined : textAt(params, filter.key);
  if (filter !== undefined && isAllowed(requested, filter, named)) return [];
  const about = named === undefined ? '' : ` for ${quote(cut(named))}`;
  const message = `The client did not request ${quote(method)}${about} from the subscription ${say(id)}.`;
  const key =
    filter?.key !== undefined && named !== undefined ? ['params', filter.key] : ['method'];
  return [{ code: 'unrequested-notification', message, key }];
}

function isAllowed(
  requested: unknown,
  { name, key }: Filter & { readonly name: string },
  named: string | undefined,
): boolean {
  if (key === undefined) return at(requested, name) === true;
  // That it is missing is another fault.
  if (named === undefined) return true;
  const covers = key === 'uri' ? coversResource : Object.is;
  return textsAt(requested, name).some((listed) => covers(listed, named));
}

/** Whether a resource is the one at this address, or below it. */
export function coversResource(address: string, updated: string): boolean {
  const base = address.replace(/\/+$/, '');
  return updated.startsWith(base) && /^(?:$|[/?#])/.test(updated.slice(base.length));
}

function say(id: string | number): string {
  return typeof id === 'string' ? quote(id) : String(id);
}
