import { mapNode } from '../ir/index.js';
import type { Definition, Node, Property } from '../ir/index.js';
import type { Metamodel } from '../emit/index.js';
import { html, joined } from '../page/index.js';
import type { Html, Value } from '../page/index.js';
import { idOf, link, typeLink } from './names.js';
import { prose } from './prose.js';
import { literal, typeOf } from './type.js';

/** Every definition with its fields, and where it is used. */
export function definitionsSection(model: Metamodel): Html {
  const known = new Set(model.definitions.map(({ name }) => name));
  const users = usersOf(model);
  const items = model.definitions.map((each) => definitionItem(each, known, users));
  return html`<section id="definitions" aria-labelledby="definitions-title">
    <h2 id="definitions-title">Definitions</h2>
    ${items}
  </section> `;
}

function definitionItem(
  { name, description, node }: Definition,
  known: ReadonlySet<string>,
  users: ReadonlyMap<string, readonly Html[]>,
): Html {
  const place = { kind: 'type', name } as const;
  const uses = users.get(name) ?? [];
  return html`<article class="item" id="${idOf(place)}">
    <h3>${link(place, name)}${node.deprecated && html` <span class="badge">deprecated</span>`}</h3>
    ${prose(description, known)}${body(name, node, known)}${
      uses.length > 0 && html`<p class="uses">Used by ${joined(uses, ', ')}</p>`
    }
  </article> `;
}

/** The fields of an object, or the type. The parts of a type that have fields are listed below it. */
function body(name: string, node: Node, known: ReadonlySet<string>): Value {
  if (node.kind === 'object' && node.properties.length > 0) {
    return [fields(name, node.properties, known), rest(node, known)];
  }
  const parts = 'members' in node ? node.members : [];
  const detailed = parts.some((part) => part.kind === 'object' && part.properties.length > 0);
  if (!detailed) return html`<p class="type">${typeOf(node, known)}</p>`;
  const title = { union: 'One of', exclusive: 'Exactly one of', intersection: 'All of' } as const;
  return html`<p>${node.kind in title && title[node.kind as keyof typeof title]}:</p>
    <ul class="parts">
      ${parts.map(
        (part) =>
          html`<li>
            ${
              part.kind === 'object' && part.properties.length > 0
                ? [fields(undefined, part.properties, known), rest(part, known)]
                : html`<span class="type">${typeOf(part, known)}</span>`
            }
          </li>`,
      )}
    </ul>`;
}

function rest(node: Extract<Node, { kind: 'object' }>, known: ReadonlySet<string>): Value {
  switch (node.additional.kind) {
    case 'closed':
      return html`<p class="rest">No other keys.</p>`;
    case 'typed':
      return html`<p class="rest">Other keys: ${typeOf(node.additional.node, known)}</p>`;
    default:
      return undefined;
  }
}

function fields(
  owner: string | undefined,
  properties: readonly Property[],
  known: ReadonlySet<string>,
): Html {
  return html`<dl class="fields">${properties.map((each) => field(owner, each, known))}</dl>`;
}

function field(
  owner: string | undefined,
  { name, required, node }: Property,
  known: ReadonlySet<string>,
): Html {
  const { description, default: preset, deprecated } = node;
  const id = owner !== undefined && html` id="${idOf({ kind: 'type', name: owner, field: name })}"`;
  return html`<div${id}><dt><code>${name}</code>${
    required && html` <span class="badge required">required</span>`
  }${deprecated && html` <span class="badge">deprecated</span>`}</dt>
<dd><span class="type">${typeOf(node, known)}</span>${
    preset !== undefined && html` <span class="limits">default ${literal(preset)}</span>`
  }${prose(description, known)}</dd></div>
`;
}

/** Links to the definitions and methods that refer to each definition. */
function usersOf({ definitions, requests, notifications }: Metamodel): Map<string, Html[]> {
  const users = new Map<string, Map<string, Html>>();
  const note = (name: string, user: string, shown: Html): void => {
    const known = users.get(name) ?? new Map<string, Html>();
    users.set(name, known.set(user, shown));
  };
  const names = new Set(definitions.map(({ name }) => name));
  const messages = [
    ...requests.map(({ method, definition, results }) => ({
      method,
      all: [definition, ...results],
    })),
    ...notifications.map(({ method, definition }) => ({ method, all: [definition] })),
  ];
  for (const { method, all } of messages) {
    const place = { kind: 'method', name: method } as const;
    for (const name of all) {
      note(name, idOf(place), link(place, html`<code>${method}</code>`));
    }
  }
  for (const { name, node } of definitions) {
    mapNode(node, (part) => {
      if (part.kind === 'ref' && part.name !== name) {
        note(part.name, idOf({ kind: 'type', name }), typeLink(name, names));
      }
      return part;
    });
  }
  return new Map([...users].map(([name, found]) => [name, [...found.values()]]));
}
