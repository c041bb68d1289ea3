import type { Party, Protocol } from '../../ir/index.js';
import { quoted } from '../format/layout.js';
import { placeOf } from '../support/wire.js';
import { parameter, returns } from './code.js';
import {
  definitionRule,
  hasPartialParams,
  hasPartialResults,
  messageRule,
} from './message-rules.js';
import type { MessageParts, MessageRule } from './message-rules.js';
import type { Writers } from './writers.js';

/** A rule of a method, for the values of these senders. */
interface MethodRule extends MessageRule {
  readonly method: string;
  readonly senders?: readonly Party[];
  readonly partial: boolean;
}

/** The members of `wire`: a function for the params of requests, one for those of notifications, and one for results. */
export function methodRules(
  { requests, notifications, addedResults }: Protocol,
  parts: MessageParts | undefined,
  writers: Writers,
): string {
  const { plan } = writers;
  const sent = <K extends 'request' | 'notification'>(
    kind: K,
    all: readonly { method: string; definition: string; senders: readonly Party[] }[],
  ): MethodRule[] =>
    all
      // What has no sender is no message of either side: a foreign schema calls something else "method".
      .filter(({ senders }) => senders.length > 0)
      .map(({ method, definition, senders }) => ({
        method,
        senders,
        partial: hasPartialParams(kind, definition, parts, plan),
        ...messageRule(definition, writers),
      }));
  const requestRules = sent(
    'request',
    requests.filter(({ carrier }) => carrier === 'message'),
  );
  const notificationRules = sent('notification', notifications);
  const results = [
    ...requests.filter((each) => each.results.length > 0),
    ...addedResults.map(({ method, result }) => ({ method, results: [result] })),
  ].map(({ method, results }) => ({
    method,
    partial: hasPartialResults(results, parts, plan),
    ...definitionRule(results, 'v', writers),
  }));
  const whole = [...requestRules, ...notificationRules].filter((each) => each.whole === true);
  return [
    ruleFunction('request', requestRules, writers),
    ruleFunction('notification', notificationRules, writers),
    ruleFunction('response', results, writers),
    whole.length > 0 ? `  whole: [${whole.map(({ method }) => quoted(method)).join(', ')}],\n` : '',
  ].join('');
}

function ruleFunction(
  kind: 'request' | 'notification' | 'response',
  rules: readonly MethodRule[],
  { scope }: Writers,
): string {
  if (rules.length === 0) return `  ${kind}: () => false,\n`;
  const at = clearestIndex(rules.map(({ method }) => method));
  const found = new Set(rules.map(({ method }) => placeOf(method, at)));
  const places = [...found].sort((a, b) => a - b);
  const cases = places.map((place) => {
    const all = rules.filter(({ method }) => placeOf(method, at) === place).map(verdict);
    const label = `      case ${String(place)}:\n`;
    const [only = [], ...others] = all;
    if (others.length === 0) return label + indented(returns(only, '&&'));
    const either = all.map((conditions) => `(${conditions.join(' && ')})`);
    return label + indented(returns(either, '||'));
  });
  const code = cases.join('');
  const parameters = ['method', 'from', 'v', 'c', 'message'].map((name) => parameter(name, code));
  while (parameters.at(-1)?.startsWith('_') === true) parameters.pop();
  return [
    `  ${kind}(${parameters.join(', ')}) {\n`,
    `    switch (${scope.value('wire', 'placeOf')}(method, ${String(at)})) {\n`,
    code,
    '      default:\n        return false;\n    }\n  },\n',
  ].join('');
}

/** The index of the character that, with the length, tells the most methods apart. */
function clearestIndex(methods: readonly string[]): number {
  const longest = Math.max(...methods.map(({ length }) => length));
  const counts = Array.from(
    { length: longest },
    (_, at) => new Set(methods.map((method) => placeOf(method, at))).size,
  );
  return counts.indexOf(Math.max(...counts));
}

const indented = (code: string): string => code.replaceAll(/^(?=.)/gm, '      ');

/** Conditions of which all have to hold, the last of which is the verdict. */
function verdict({ method, senders, check, shape, partial }: MethodRule): string[] {
  const [sender, other] = senders ?? [];
  const conditions = [`method === ${quoted(method)}`];
  if (sender !== undefined && other === undefined) conditions.push(`from === ${quoted(sender)}`);
  const accepted = partial ? alsoPart(check) : check;
  return [...conditions, `(c ? ${accepted} : ${shape})`];
}

/** The code of a check whose values JSON-RPC's definition has to accept as well. */
function alsoPart(check: string): string {
  if (check === 'true') return "'partial'";
  return `${check.includes(' || ') ? `(${check})` : check} && 'partial'`;
}
