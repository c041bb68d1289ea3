import { h } from 'preact';
import { framePage, withPolicy } from '../../pages/toolkit/index.js';
import type { Row } from '../bench.js';
import { amount } from '../measured.js';
import { machineLine, type Results } from './results.js';
import { spreadOf } from './scale.js';
import { html, raw, type Html } from './html.js';
import { isDrawn, panel, type Drawn } from './panel.js';
import { DARK, DRAWING_STYLE, inline, LIGHT } from './svg.js';

/** All results as one HTML file, which loads nothing and runs no script. */
export function resultsPage(all: readonly Results[]): string {
  const header = html`<h1>Measurements of mcp-codegen</h1>
    <p>
      Each contender was measured in turns with the others. A bar or a dot is the value of the row;
      the box on it spans the quartiles, its stroke is the median, and the line spans least to most
      (of single delays, to the 99th percentile). A dashed line is the goal.
    </p>
    ${nav(all)}`;
  const title = 'Measurements of mcp-codegen';
  const main = html`${all.map(subject)}`;
  return framePage(
    { command: 'bench', title, header: content(header), main: content(main) },
    withPolicy({ style: STYLE }),
  );
}

/** The drawings are SVG files too, so their tag makes texts, which the frame takes as they are. */
const content = ({ text }: Html) => h('div', { dangerouslySetInnerHTML: { __html: text } });

function nav(all: readonly Results[]): Html {
  return html`<nav aria-label="Contents">
    <ul>
      ${all.map(
        (results) =>
          html`<li>
            <a href="#${results.subject}">${results.subject}</a>${raw('<ul>')}${results.benches.map(
              ({ name }) => html`<li><a href="#${idOf(name)}">${name}</a></li>`,
            )}${raw('</ul>')}
          </li>`,
      )}
    </ul>
  </nav>`;
}

function subject(results: Results): Html {
  const peers = Object.entries(results.peers).map(([name, version]) => `${name} ${version}`);
  return html`<section aria-labelledby="${results.subject}">
    <h2 id="${results.subject}">${results.subject}</h2>
    <p class="note">${machineLine(results)}</p>
    <p class="note">
      mcp-codegen ${results.version}${peers.length > 0 && `; beside ${peers.join(', ')}`}
    </p>
    ${results.benches.map(
      ({ name, rows }) =>
        html`<h3 id="${idOf(name)}">${name}</h3>
          ${table(rows, name)}
          <div class="figures">
            ${rows
              .filter(isDrawn)
              .map((row, index) => figure(row, `${idOf(name)}-${String(index)}`))}
          </div>`,
    )}
  </section>`;
}

const idOf = (name: string): string => `bench-${name.replace(/[^\w.]+/g, '-')}`;

/** What the command line shows. */
function table(rows: readonly Row[], name: string): Html {
  return scrolling(
    `All rows of ${name}`,
    html`<table class="rows">
      <thead>
        <tr>
          <th scope="col">row</th>
          <th scope="col">goal</th>
          <th scope="col">ours</th>
          <th scope="col">peers</th>
          <th scope="col">goal met</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ row, goal, ours, peer, met }) =>
            html`<tr>
              <th scope="row">${row}</th>
              <td>${goal}</td>
              <td>${ours}</td>
              <td>${peer}</td>
              <td class="${met === false && 'missed'}">
                ${met === null ? '–' : met ? 'yes' : 'no'}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>`,
  );
}

function figure(row: Drawn, id: string): Html {
  const { unit, shown, bars } = row.figure;
  const cells = (samples: readonly number[]): readonly number[] => {
    const { low, first, median, third, high } = spreadOf(samples, shown);
    return [low, first, median, third, high];
  };
  const most = shown === 'p99' ? '99 %' : 'most';
  return html`<figure>
    ${inline(panel(row), id)}
    <figcaption>
      ${scrolling(
        `Samples: ${row.row}`,
        html`<table class="samples">
          <caption>
            Samples (${unit})
          </caption>
          <thead>
            <tr>
              <th scope="col">of</th>
              ${['least', '25 %', 'median', '75 %', most, 'samples'].map(
                (head) => html`<th scope="col">${head}</th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${bars.map(
              (bar) =>
                html`<tr>
                  <th scope="row">${bar.name}</th>
                  ${cells(bar.samples).map((value) => html`<td>${amount(value, '')}</td>`)}
                  <td>${bar.count ?? bar.samples.length}</td>
                </tr>`,
            )}
          </tbody>
        </table>`,
      )}
    </figcaption>
  </figure>`;
}

/** Reached with the keyboard, because it scrolls in a narrow window. */
function scrolling(label: string, content: Html): Html {
  return html`<div class="scrolling" role="region" tabindex="0" aria-label="${label}">
    ${content}
  </div>`;
}

const STYLE = `
:root { color-scheme: light dark; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { ${DARK} } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 0 1rem 4rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
p { max-width: 50rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; background: var(--ground); }
nav > ul { display: flex; flex-wrap: wrap; gap: 0 2rem; padding: 0; list-style: none; }
nav a { display: inline-block; padding: 0.2rem 0; }
.note { color: var(--quiet); font-size: 0.875rem; margin: 0.25rem 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); gap: 1rem; }
figure { margin: 0; padding: 1rem; border: 1px solid var(--line); border-radius: 0.5rem; min-width: 0; break-inside: avoid; }
figure svg { display: block; width: 100%; height: auto; }
.scrolling { overflow-x: auto; margin: 0.5rem 0; }
table { border-collapse: collapse; font-size: 0.8125rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line);
  font-weight: normal; min-width: 5rem; }
thead th { font-weight: 600; }
.samples { width: 100%; }
.samples th, .samples td { min-width: 0; }
.samples tbody th { min-width: 8rem; }
.samples td, .samples thead th:not(:first-child) { text-align: end; }
caption { text-align: start; color: var(--quiet); }
.missed { color: var(--goal); font-weight: 600; }
@media print { nav, .skip { display: none; } .scrolling { overflow: visible; } body { max-width: none; }
  figure, tr { break-inside: avoid; } }
${DRAWING_STYLE}`;
