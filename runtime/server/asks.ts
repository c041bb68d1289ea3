import type { JsonObject } from '../tasks/index.js';
import { missingCapability } from './errors.js';
import { isObject } from '../wire/json.js';

/**
 * What a server may ask a client, by the capability that allows it. Kept with a task, because the
 * client that created it is not at hand any more when its tool asks.
 */
export type Ask = 'elicitation.form' | 'elicitation.url' | 'sampling' | 'sampling.tools' | 'roots';

/** What a client with these capabilities can be asked. They come from the wire: anything may be in them. */
export function asksOf(capabilities: unknown): readonly Ask[] {
  const { elicitation, sampling, roots } = isObject(capabilities) ? capabilities : {};
  const asks: Ask[] = [];
  if (isObject(elicitation)) {
    // An empty object is the older way of saying forms.
    if (isObject(elicitation['form']) || !isObject(elicitation['url'])) {
      asks.push('elicitation.form');
    }
    if (isObject(elicitation['url'])) asks.push('elicitation.url');
  }
  if (isObject(sampling)) {
    asks.push('sampling');
    if (isObject(sampling['tools'])) asks.push('sampling.tools');
  }
  if (isObject(roots)) asks.push('roots');
  return asks;
}

/** Throws `-32021` naming the capability that the client lacks for this question. */
export function assertAskable(asks: readonly Ask[], method: string, params: JsonObject): void {
  for (const ask of needed(method, params)) {
    if (asks.includes(ask)) continue;
    const [capability = ask, part] = ask.split('.');
    throw missingCapability(
      { [capability]: part === undefined || part === 'form' ? {} : { [part]: {} } },
      `The client cannot be asked ${method}: it does not declare ${ask}`,
    );
  }
}

function needed(method: string, params: JsonObject): readonly Ask[] {
  switch (method) {
    case 'elicitation/create':
      return [params['mode'] === 'url' ? 'elicitation.url' : 'elicitation.form'];
    case 'sampling/createMessage':
      return 'tools' in params || 'toolChoice' in params
        ? ['sampling', 'sampling.tools']
        : ['sampling'];
    case 'roots/list':
      return ['roots'];
    default:
      throw new TypeError(`A client cannot be asked ${method}`);
  }
}
