import { render } from 'preact';
import { createEngine } from './engine.js';
import { Messages } from './messages.js';
import { Schemas } from './schemas.js';

const root = document.getElementById('app');
if (root) {
  const engine = createEngine();
  root.replaceChildren();
  render(
    <>
      <Messages engine={engine} />
      <Schemas engine={engine} />
      <Limits />
    </>,
    root,
  );
}

/** What differs from the command line. */
function Limits() {
  return (
    <section id="limits" aria-labelledby="limits-title">
      <h2 id="limits-title">What does not run here</h2>
      <ul>
        <li>
          The generated validators and Zod schemas are shown, not run, because the page runs no code
          that is made of your text. A value is judged by the same definitions instead, which says
          the first reason alone; the generated validators report every error.
        </li>
        <li>
          Types, Zod schemas and validators are the text that{' '}
          <code>mcp-codegen generate --schema schema.json</code> writes, without the header. The
          files import <code>../support</code>, which the command writes beside them.
        </li>
        <li>
          The schemas of MCP itself are not recognized. The command names their revision, corrects
          their known errors and keeps their names.
        </li>
        <li>What is wrong with text that is not JSON is said in the words of the browser.</li>
        <li>References to other documents are not followed: every value is valid there.</li>
        <li>
          Packed recordings (gzip) and files are not read. One text may have 16 million characters.
        </li>
      </ul>
    </section>
  );
}
