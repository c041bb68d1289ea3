import type { ComponentChildren } from 'preact';
import type { Metamodel } from '../../generator/emit/index.js';
import { TypeLink } from './names.js';
import type { Known } from './names.js';

/** Error codes, reserved keys of `_meta`, and what was corrected in the schema. */
export function Facts({ model, known }: { readonly model: Metamodel; readonly known: Known }) {
  const { errors, metaKeys, errata = [] } = model;
  return (
    <section id="facts" aria-labelledby="facts-title">
      <h2 id="facts-title">Errors and reserved keys</h2>
      <Group title="Error codes">
        {errors.map(({ name, code, definition }) => (
          <li class="item">
            <code>{code}</code>{' '}
            {definition === undefined ? name : <TypeLink name={definition} known={known} />}
          </li>
        ))}
      </Group>
      {metaKeys.length > 0 && (
        <Group
          title={
            <>
              Reserved keys of <code>_meta</code>
            </>
          }
        >
          {metaKeys.map((key) => (
            <li class="item">
              <code>{key}</code>
            </li>
          ))}
        </Group>
      )}
      {errata.length > 0 && (
        <Group title="Corrections of the schema">
          {errata.map(({ pointer, reason }) => (
            <li class="item">
              <code>{pointer}</code> {reason}
            </li>
          ))}
        </Group>
      )}
    </section>
  );
}

interface GroupProps {
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}

function Group({ title, children }: GroupProps) {
  return (
    <section class="group">
      <h3>{title}</h3>
      <ul class="changes">{children}</ul>
    </section>
  );
}
