import { sayCapabilities } from '../diff/index.js';
import type { Metamodel } from '../emit/index.js';
import type { Notification, Party, Request } from '../ir/index.js';
import { html, joined } from '../page/index.js';
import type { Html, Value } from '../page/index.js';
import { idOf, link, typeLink } from './names.js';
import { prose } from './prose.js';

type Message =
  (Request & { readonly kind: 'request' }) | (Notification & { readonly kind: 'notification' });

/** The methods, by direction. */
export function methodsSection(model: Metamodel): Html {
  const messages: Message[] = [
    ...model.requests.map((each) => ({ ...each, kind: 'request' as const })),
    ...model.notifications.map((each) => ({ ...each, kind: 'notification' as const })),
  ];
  const groups = [...new Set(messages.map(directionOf))].sort((a, b) => rank(a) - rank(b));
  const known = new Set(model.definitions.map(({ name }) => name));
  const seen = new Set<string>();
  const item = (message: Message): Html => {
    const first = !seen.has(message.method);
    seen.add(message.method);
    return methodItem(message, first, model, known);
  };
  return html`<section id="methods" aria-labelledby="methods-title">
    <h2 id="methods-title">Methods</h2>
    ${groups.length === 0 && html`<p>The schema has no methods.</p>`}${groups.map(
      (direction) =>
        html`<section class="group">
          <h3>${direction}</h3>
          ${messages.filter((each) => directionOf(each) === direction).map(item)}
        </section> `,
    )}
  </section> `;
}

const DIRECTIONS = [
  'Client to server',
  'Server to client',
  'Both directions',
  'Inside the result of another request',
  'Direction unknown',
];

function rank(direction: string): number {
  return DIRECTIONS.indexOf(direction);
}

function directionOf(message: Message): string {
  if (message.kind === 'request' && message.carrier === 'input') return DIRECTIONS[3] ?? '';
  const senders = message.senders.toSorted().join();
  const index = ['client', 'server', 'client,server'].indexOf(senders satisfies string);
  return DIRECTIONS[index === -1 ? 4 : index] ?? '';
}

function methodItem(
  message: Message,
  first: boolean,
  { definitions, addedResults }: Metamodel,
  known: ReadonlySet<string>,
): Html {
  const { method, kind, definition, capabilities, params } = message;
  const place = { kind: 'method', name: method } as const;
  const described = definitions.find(({ name }) => name === definition)?.description;
  const added = addedResults.filter((each) => each.method === method).map(({ result }) => result);
  const results = kind === 'request' ? [...message.results, ...added] : [];
  const paramsShown =
    params === undefined
      ? 'none'
      : [typeLink(params.definition ?? definition, known), !params.required && ' (optional)'];
  return html`<article class="item" ${first && html` id="${idOf(place)}"`}>
    <h4>${link(place, html`<code>${method}</code>`)} <span class="badge">${kind}</span></h4>
    ${prose(described, known)}
    <dl class="facts">
      ${row('Message', typeLink(definition, known))}${row('Params', paramsShown)}${
        kind === 'request' && row('Result', resultList(results, known))
      }${row(needing(message), sayCapabilities(capabilities))}${
        kind === 'request' && message.augmentable && row('Task', 'with params.task')
      }
    </dl>
  </article> `;
}

/** Who has to declare the capability: the receiver of a request, the sender of a notification. */
function needing({ capabilities }: Message): string {
  const parties: Party[] = [...new Set(capabilities.map(({ party }) => party))];
  return parties.length === 0 ? 'Capability' : `Capability of ${parties.sort().join(' and ')}`;
}

function resultList(results: readonly string[], known: ReadonlySet<string>): Value {
  const links = results.map((name) => typeLink(name, known));
  return links.length === 0 ? 'unknown' : joined(links, ' or ');
}

const row = (name: string, value: Value): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
