import { html, withCode } from '../page/index.js';
import type { Html } from '../page/index.js';
import { FINDINGS } from '../validate/index.js';
import type { FindingCode } from '../validate/index.js';
import { many } from './label.js';
import type { Recorder } from './recorder.js';
import type { Row } from './row.js';
import { SEVERITIES } from './severity.js';
import { sayNumber } from './words.js';

/** Findings of one rule that are listed. */
const SHOWN = 10;

/** The findings by severity and rule, errors first, with links to their messages. */
export function findingsSection({ kinds, sample }: Recorder, rows: readonly Row[]): Html {
  const found = rows.flatMap((row) => row.findings.map((finding) => ({ row, finding })));
  const groups = [...kinds.values()]
    .map((kind) => {
      const isOwn = ({ finding: { code, severity } }: (typeof found)[number]): boolean =>
        code === kind.code && severity === kind.severity;
      return { ...kind, own: found.filter(isOwn) };
    })
    .sort(
      (a, b) =>
        SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || b.count - a.count,
    );
  return html`<section id="findings" aria-labelledby="findings-title">
    <h2 id="findings-title">Findings</h2>
    ${groups.length === 0 && html`<p>No message breaks a rule.</p>`}
    ${
      sample.droppedFindings > 0 &&
      html`<p class="notice">
        ${many(sample.droppedFindings, 'message')} with findings are not in this report, because
        there are too many. The counts below contain them.
      </p>`
    }
    ${groups.map(({ code, severity, count, own }) => {
      return html`<details class="rule" ${groups.length <= 3 && html`open`}>
        <summary>
          <span class="severity ${severity}">${severity}</span> <code>${code}</code>
          <span class="amount">${sayNumber(count)} ×</span>
          <span class="quiet">${withCode(FINDINGS[code].rule)}${requirementsOf(code)}</span>
        </summary>
        <ul>
          ${own.slice(0, SHOWN).map(
            ({ row, finding }) =>
              html`<li>
                <a href="#message=${row.number}">${placeOf(row)}</a>
                ${finding.pointer !== '' && html`<code class="pointer">${finding.pointer}</code> `}
                ${finding.expected ? `expected ${finding.expected}, received ${finding.received ?? ''}` : withCode(finding.text)}
              </li>`,
          )}
          ${
            count > SHOWN &&
            html`<li>
              <a href="#finding=${code}">All messages that break this rule</a>
            </li>`
          }
        </ul>
      </details>`;
    })}
  </section>`;
}

/** Their ids in `docs/requirements.md`. */
function requirementsOf(code: FindingCode): string {
  const ids: readonly string[] = FINDINGS[code].requirements;
  return ids.length > 0 ? ` [${ids.join(', ')}]` : '';
}

function placeOf({ number, line }: Row): string {
  return number > 0 ? `Message ${sayNumber(number)}` : `Line ${sayNumber(line)}`;
}
