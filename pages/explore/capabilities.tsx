import type { Metamodel } from '../../generator/emit/index.js';
import { type Node, propertiesOf } from '../../json-schema/index.js';

/** The definitions of what each party may declare. */
const OWNERS = [
  ['client', 'ClientCapabilities'],
  ['server', 'ServerCapabilities'],
] as const;

/** Which capabilities each revision has. */
export function Capabilities({ models }: { readonly models: readonly Metamodel[] }) {
  const columns = models.map((model) => ({ name: model.name, paths: capabilitiesOf(model) }));
  const shown = columns.filter(({ paths }) => paths.size > 0);
  const rows = [...new Set(shown.flatMap(({ paths }) => [...paths]))].sort();
  if (rows.length === 0) return null;
  return (
    <section id="capabilities" aria-labelledby="capabilities-title">
      <h2 id="capabilities-title">Capabilities</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Capabilities of each revision">
        <table>
          <thead>
            <tr>
              <th scope="col">Capability</th>
              {shown.map(({ name }) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((path) => (
              <tr>
                <th scope="row">
                  <code>{path}</code>
                </th>
                {shown.map(({ paths }) =>
                  paths.has(path) ? <td class="yes">yes</td> : <td class="quiet">–</td>,
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Levels of names below a party: `server.tasks.requests.tools.call` has four. */
const LEVELS = 5;
/** The most names that are listed, because definitions may refer to themselves. */
const MOST = 500;

interface Owner {
  readonly path: string;
  readonly node: Node;
}

/** The names of each level before those of the next. */
function capabilitiesOf({ definitions }: Metamodel): Set<string> {
  const byName = new Map(definitions.map((each) => [each.name, each]));
  const found = new Set<string>();
  let level = OWNERS.flatMap(([party, name]): Owner[] => {
    const node = byName.get(name)?.node;
    return node ? [{ path: party, node }] : [];
  });
  for (let depth = 0; depth < LEVELS && found.size < MOST; depth += 1) {
    const below: Owner[] = [];
    for (const { path, node } of level) {
      for (const property of propertiesOf(node, byName)) {
        if (found.size >= MOST) break;
        found.add(`${path}.${property.name}`);
        below.push({ path: `${path}.${property.name}`, node: property.node });
      }
    }
    level = below;
  }
  return found;
}
