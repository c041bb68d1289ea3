import { dataElement, framePage } from '../toolkit/index.js';
import type { Assets } from '../toolkit/index.js';
import { ENGINE_ID } from './questions.js';

/** The command that writes the page. */
export const PLAYGROUND = 'playground';

export interface PlaygroundParts {
  /** The page's own, with a policy that allows workers and the reports in frames. */
  readonly assets: Assets;
  /** The script of the worker. */
  readonly engine: string;
  /** That of mcp-codegen. */
  readonly version: string;
}

/** The text of one HTML file that checks messages and schemas in the browser, and loads nothing. */
export function playgroundPage({ assets, engine, version }: PlaygroundParts): string {
  return framePage(
    {
      command: PLAYGROUND,
      title: 'MCP playground',
      header: (
        <>
          <h1>MCP playground</h1>
          <p class="quiet">
            mcp-codegen {version}. What you paste stays on this page: it sends nothing and loads
            nothing.
          </p>
          <nav aria-label="Sections">
            <ul>
              <li>
                <a href="#messages">Messages</a>
              </li>
              <li>
                <a href="#schemas">Schemas</a>
              </li>
              <li>
                <a href="#limits">What does not run here</a>
              </li>
            </ul>
          </nav>
        </>
      ),
      main: (
        <div id="app">
          <p>This page needs JavaScript. Without it, use the command line.</p>
        </div>
      ),
      data: dataElement('id', ENGINE_ID, engine),
    },
    assets,
  );
}
