import { sayCapabilities } from '../../generator/diff/index.js';
import type { Metamodel } from '../../generator/emit/index.js';
import type { Notification, Party, Request } from '../../generator/ir/index.js';
import { Fact, joined } from '../toolkit/index.js';
import { idOf, Link, TypeLink } from './names.js';
import type { Known } from './names.js';
import { Prose } from './prose.js';

type Message =
  (Request & { readonly kind: 'request' }) | (Notification & { readonly kind: 'notification' });

/** The methods, by direction. */
export function Methods({ model, known }: { readonly model: Metamodel; readonly known: Known }) {
  const messages: Message[] = [
    ...model.requests.map((each) => ({ ...each, kind: 'request' as const })),
    ...model.notifications.map((each) => ({ ...each, kind: 'notification' as const })),
  ];
  // A method of both directions may be there twice: the first one has the anchor.
  const seen = new Set<string>();
  const isFirst = (method: string): boolean => seen.size < seen.add(method).size;
  const groups = DIRECTIONS.map((direction) => ({
    direction,
    own: messages.filter((each) => directionOf(each) === direction),
  })).filter(({ own }) => own.length > 0);
  return (
    <section id="methods" aria-labelledby="methods-title">
      <h2 id="methods-title">Methods</h2>
      {groups.length === 0 && <p>The schema has no methods.</p>}
      {groups.map(({ direction, own }) => (
        <section class="group">
          <h3>{direction}</h3>
          {own.map((message) => (
            <Item {...{ message, model, known }} isFirst={isFirst(message.method)} />
          ))}
        </section>
      ))}
    </section>
  );
}

const DIRECTIONS = [
  'Client to server',
  'Server to client',
  'Both directions',
  'Inside the result of another request',
  'Direction unknown',
];

function directionOf(message: Message): string | undefined {
  if (message.kind === 'request' && message.carrier === 'input') return DIRECTIONS[3];
  const senders = message.senders.toSorted().join();
  const index = ['client', 'server', 'client,server'].indexOf(senders satisfies string);
  return DIRECTIONS[index === -1 ? 4 : index];
}

interface ItemProps {
  readonly message: Message;
  readonly isFirst: boolean;
  readonly model: Metamodel;
  readonly known: Known;
}

function Item({ message, isFirst, model, known }: ItemProps) {
  const { method, kind, definition, capabilities, params } = message;
  const place = { kind: 'method', name: method } as const;
  const described = model.definitions.find(({ name }) => name === definition)?.description;
  return (
    <article class="item" id={isFirst ? idOf(place) : undefined}>
      <h4>
        <Link to={place}>
          <code>{method}</code>
        </Link>{' '}
        <span class="badge">{kind}</span>
      </h4>
      <Prose text={described} known={known} />
      <dl class="facts">
        <Fact name="Message">
          <TypeLink name={definition} known={known} />
        </Fact>
        <Fact name="Params">
          {params === undefined ? (
            'none'
          ) : (
            <TypeLink name={params.definition ?? definition} known={known} />
          )}
          {params?.required === false && ' (optional)'}
        </Fact>
        {message.kind === 'request' && (
          <Fact name="Result">{resultsOf(message, model, known)}</Fact>
        )}
        <Fact name={needing(message)}>{sayCapabilities(capabilities)}</Fact>
        {message.kind === 'request' && message.augmentable && (
          <Fact name="Task">with params.task</Fact>
        )}
      </dl>
    </article>
  );
}

/** Who has to declare the capability: the receiver of a request, the sender of a notification. */
function needing({ capabilities }: Message): string {
  const parties: Party[] = [...new Set(capabilities.map(({ party }) => party))];
  return parties.length === 0 ? 'Capability' : `Capability of ${parties.sort().join(' and ')}`;
}

function resultsOf({ method, results }: Request, { addedResults }: Metamodel, known: Known) {
  const added = addedResults.filter((each) => each.method === method).map(({ result }) => result);
  const links = [...results, ...added].map((name) => <TypeLink name={name} known={known} />);
  return links.length === 0 ? 'unknown' : joined(links, ' or ');
}
