import type { Metamodel } from '../emit/index.js';
import { propertiesOf } from '../ir/index.js';
import type { Definition, Node } from '../ir/index.js';
import { html } from './html.js';
import type { Html } from './html.js';

/** The definitions of what each party may declare. */
const OWNERS = [
  ['client', 'ClientCapabilities'],
  ['server', 'ServerCapabilities'],
] as const;

/** Which capabilities each revision has. */
export function capabilitiesSection(models: readonly Metamodel[]): Html {
  const columns = models.map((model) => ({ name: model.name, paths: capabilitiesOf(model) }));
  const shown = columns.filter(({ paths }) => paths.size > 0);
  const rows = [...new Set(shown.flatMap(({ paths }) => [...paths]))].sort();
  if (rows.length === 0) return html``;
  return html`<section id="capabilities" aria-labelledby="capabilities-title">
    <h2 id="capabilities-title">Capabilities</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Capabilities of each revision">
      <table>
        <thead>
          <tr>
            <th scope="col">Capability</th>
            ${shown.map(({ name }) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (path) =>
              html`<tr>
                <th scope="row"><code>${path}</code></th>
                ${shown.map(({ paths }) =>
                  paths.has(path) ? html`<td class="yes">yes</td>` : html`<td class="no">–</td>`,
                )}
              </tr> `,
          )}
        </tbody>
      </table>
    </div>
  </section> `;
}

/** Levels of names below a party: `server.tasks.requests.tools.call` has four. */
const LEVELS = 5;

function capabilitiesOf({ definitions }: Metamodel): Set<string> {
  const byName = new Map(definitions.map((each) => [each.name, each]));
  const found = new Set<string>();
  for (const [party, name] of OWNERS) {
    const owner = byName.get(name);
    if (owner) collect(owner.node, [party], byName, found);
  }
  return found;
}

function collect(
  node: Node,
  path: readonly string[],
  definitions: ReadonlyMap<string, Definition>,
  found: Set<string>,
): void {
  if (path.length > LEVELS) return;
  for (const property of propertiesOf(node, definitions)) {
    const below = [...path, property.name];
    found.add(below.join('.'));
    collect(property.node, below, definitions, found);
  }
}
