import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { visible } from './words.js';

/** The style and the script, which the page contains. They must not contain `</`. A page may have no script. */
export interface Parts {
  readonly style: string;
  readonly script?: string;
}

/** They with the page's policy, which `withPolicy` makes. */
export interface Assets extends Parts {
  readonly policy: string;
}

/** What stands in a page. */
export interface Content {
  /** The command that makes the page. */
  readonly command: string;
  readonly title: string;
  readonly header: ComponentChildren;
  readonly main: ComponentChildren;
  /** HTML of elements that are not shown, such as data for the script. */
  readonly data?: string;
}

/** The text of one HTML file that loads nothing. Its policy allows only its own style and script. */
export function framePage({ command, title, header, main, data = '' }: Content, assets: Assets) {
  const { style, script, policy } = assets;
  const head = (
    <>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={policy} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="referrer" content="no-referrer" />
      <title>{title}</title>
    </>
  );
  const body = (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>{header}</header>
      <main id="main" tabIndex={-1}>
        {main}
      </main>
    </>
  );
  return `<!doctype html>
<html lang="en"><head>${markOf(command)}${rendered(head)}<style>${style}</style></head>
<body>${rendered(body)}
${data}${script === undefined ? '' : `<script>${script}</script>`}</body></html>
`;
}

/** The HTML of components. Preact escapes every text; no text hides characters or changes their direction. */
export function rendered(content: ComponentChildren): string {
  return visible(renderToString(<>{content}</>));
}

/** Whether a text is a page of this command, which a later run may replace. */
export function isPageOf(command: string, text: string): boolean {
  return text.slice(0, 2_000).includes(markOf(command));
}

function markOf(command: string): string {
  return `<meta name="generator" content="mcp-codegen ${command}">`;
}
