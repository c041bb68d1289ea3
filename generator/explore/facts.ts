import type { Metamodel } from '../emit/index.js';
import { html } from '../page/index.js';
import type { Html } from '../page/index.js';
import { typeLink } from './names.js';

/** Error codes, reserved keys of `_meta`, and what was corrected in the schema. */
export function factsSection({ errors, metaKeys, errata = [], definitions }: Metamodel): Html {
  const known = new Set(definitions.map(({ name }) => name));
  return html`<section id="facts" aria-labelledby="facts-title">
    <h2 id="facts-title">Errors and reserved keys</h2>
    <section class="group">
      <h3>Error codes</h3>
      <ul class="changes">
        ${errors.map(
          ({ name, code, definition }) =>
            html`<li class="item">
              <code>${code}</code> ${definition === undefined ? name : typeLink(definition, known)}
            </li>`,
        )}
      </ul>
    </section>
    ${
      metaKeys.length > 0 &&
      html`<section class="group">
        <h3>Reserved keys of <code>_meta</code></h3>
        <ul class="changes">
          ${metaKeys.map((key) => html`<li class="item"><code>${key}</code></li>`)}
        </ul>
      </section>`
    }${
      errata.length > 0 &&
      html`<section class="group">
        <h3>Corrections of the schema</h3>
        <ul class="changes">
          ${errata.map(
            ({ pointer, reason }) => html`<li class="item"><code>${pointer}</code> ${reason}</li>`,
          )}
        </ul>
      </section>`
    }
  </section> `;
}
