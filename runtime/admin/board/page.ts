import { randomBytes } from 'node:crypto';
import { oneLine as printable } from '../print.js';
import type { Answer } from './answer.js';
import { pageFiles } from './page-files.js';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;

/** The page's style and script, by path. */
export function readAssets(): ReadonlyMap<string, Answer> {
  return new Map(
    Object.entries(pageFiles()).map(([name, body]) => [
      `/page/${name}`,
      { status: 200, type: name.endsWith('.css') ? TYPES.css : TYPES.js, body },
    ]),
  );
}

/**
 * The page of the server `name`, which contains nothing of the tasks. Its policy lets the script with its nonce run, and
 * lets it talk to the board alone. No script may make HTML of a text.
 */
export function boardPage(name: string, isAuthorized: boolean): Answer {
  const nonce = randomBytes(18).toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': policy },
    body: html(nonce, escaped(name), isAuthorized),
  };
}

/** As text of an element or of a quoted attribute. */
function escaped(text: string): string {
  return printable(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function html(nonce: string, name: string, isAuthorized: boolean): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${name === '' ? '' : `${name}: `}Tasks</title>
    <link rel="stylesheet" nonce="${nonce}" href="page/board.css">
    <script type="module" nonce="${nonce}" src="page/board.js"></script>
  </head>
  <body>
    <noscript><p>The board needs JavaScript.</p></noscript>
    <div id="board" data-name="${name}" data-access="${isAuthorized ? 'token' : 'secret'}"></div>
  </body>
</html>
`;
}
