import type { ComponentChildren } from 'preact';
import type { Metamodel } from '../../generator/emit/index.js';
import { type Definition, mapNode, type Node, type Property } from '../../json-schema/index.js';
import { joined } from '../toolkit/index.js';
import { idOf, Link, TypeLink } from './names.js';
import type { Known } from './names.js';
import { Prose } from './prose.js';
import { Literal, Type } from './type.js';

/** Every definition with its fields, and where it is used. */
export function Definitions({
  model,
  known,
}: {
  readonly model: Metamodel;
  readonly known: Known;
}) {
  const users = usersOf(model, known);
  return (
    <section id="definitions" aria-labelledby="definitions-title">
      <h2 id="definitions-title">Definitions</h2>
      {model.definitions.map((each) => (
        <Item definition={each} known={known} users={users.get(each.name) ?? []} />
      ))}
    </section>
  );
}

interface ItemProps {
  readonly definition: Definition;
  readonly known: Known;
  readonly users: readonly ComponentChildren[];
}

function Item({ definition: { name, description, node }, known, users }: ItemProps) {
  const place = { kind: 'type', name } as const;
  return (
    <article class="item" id={idOf(place)}>
      <h3>
        <Link to={place}>{name}</Link>
        {node.deprecated && <> {DEPRECATED}</>}
      </h3>
      <Prose text={description} known={known} />
      <Body name={name} node={node} known={known} />
      {users.length > 0 && <p class="uses">Used by {joined(users, ', ')}</p>}
    </article>
  );
}

const DEPRECATED = <span class="badge">deprecated</span>;
const TITLES = { union: 'One of', exclusive: 'Exactly one of', intersection: 'All of' } as const;

interface BodyProps {
  /** Of the definition; absent for a part of one, whose fields have no anchors. */
  readonly name?: string;
  readonly node: Node;
  readonly known: Known;
}

/** The fields of an object, or the type. The parts of a type that have fields are listed below it. */
function Body({ name, node, known }: BodyProps) {
  if (hasFields(node))
    return <Fields node={node} known={known} {...(name !== undefined && { name })} />;
  const isList = 'members' in node && node.kind in TITLES && node.members.some(hasFields);
  if (name === undefined || !isList) {
    return (
      <p class="type">
        <Type node={node} known={known} />
      </p>
    );
  }
  return (
    <>
      <p>{TITLES[node.kind]}:</p>
      <ul class="parts">
        {node.members.map((part) => (
          <li>
            <Body node={part} known={known} />
          </li>
        ))}
      </ul>
    </>
  );
}

type ObjectNode = Extract<Node, { kind: 'object' }>;

const hasFields = (node: Node): node is ObjectNode =>
  node.kind === 'object' && node.properties.length > 0;

function Fields({ name, node, known }: BodyProps & { readonly node: ObjectNode }) {
  const { properties, additional } = node;
  return (
    <>
      <dl class="fields">
        {properties.map((property) => (
          <Field
            property={property}
            known={known}
            id={name === undefined ? undefined : idOf({ kind: 'type', name, field: property.name })}
          />
        ))}
      </dl>
      {additional.kind === 'closed' && <p class="rest">No other keys.</p>}
      {additional.kind === 'typed' && (
        <p class="rest">
          Other keys: <Type node={additional.node} known={known} />
        </p>
      )}
    </>
  );
}

interface FieldProps {
  readonly property: Property;
  readonly known: Known;
  readonly id: string | undefined;
}

function Field({ property: { name, required, node }, known, id }: FieldProps) {
  const { description, default: preset, deprecated } = node;
  return (
    <div id={id}>
      <dt>
        <code>{name}</code> {required && <span class="badge required">required</span>}{' '}
        {deprecated && DEPRECATED}
      </dt>
      <dd>
        <span class="type">
          <Type node={node} known={known} />
        </span>
        {preset !== undefined && (
          <span class="quiet">
            {' '}
            default <Literal value={preset} />
          </span>
        )}
        <Prose text={description} known={known} />
      </dd>
    </div>
  );
}

/** Links to the definitions and methods that refer to each definition. */
function usersOf(model: Metamodel, known: Known): Map<string, ComponentChildren[]> {
  const users = new Map<string, Map<string, ComponentChildren>>();
  const note = (name: string, user: string, shown: ComponentChildren): void => {
    users.set(name, (users.get(name) ?? new Map<string, ComponentChildren>()).set(user, shown));
  };
  const notifications = model.notifications.map((each) => ({ ...each, results: [] }));
  for (const { method, definition, results } of [...model.requests, ...notifications]) {
    const place = { kind: 'method', name: method } as const;
    const shown = (
      <Link to={place}>
        <code>{method}</code>
      </Link>
    );
    for (const name of [definition, ...results]) note(name, idOf(place), shown);
  }
  for (const { name, node } of model.definitions) {
    mapNode(node, (part) => {
      if (part.kind === 'ref' && part.name !== name) {
        note(part.name, idOf({ kind: 'type', name }), <TypeLink name={name} known={known} />);
      }
      return part;
    });
  }
  return new Map([...users].map(([name, found]) => [name, [...found.values()]]));
}
