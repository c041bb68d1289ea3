import { randomBytes } from 'node:crypto';
import { oneLine as printable } from '../admin/print.js';
import type { Answer } from './answer.js';
import { pageFiles } from './page-files.js';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;

/** The page's style and scripts, by path. */
export function readAssets(): ReadonlyMap<string, Answer> {
  return new Map(
    Object.entries(pageFiles()).map(([name, body]) => [
      `/page/${name}`,
      { status: 200, type: name.endsWith('.css') ? TYPES.css : TYPES.js, body },
    ]),
  );
}

/**
 * The page of the server `name`, which contains nothing of the tasks. Its policy lets the scripts with its nonce run, and what these
 * import, and lets them talk to the board alone. No script may make HTML of a text.
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

/** As text of an element. */
function escaped(text: string): string {
  return printable(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
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
  <body data-access="${isAuthorized ? 'token' : 'secret'}">
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <h1><a href="#">Tasks</a>${name === '' ? '' : ` <span id="server">${name}</span>`}</h1>
      <p id="connection" role="status"></p>
    </header>
    <noscript><p>The board needs JavaScript.</p></noscript>
    <main id="main" tabindex="-1">
      <form id="access" hidden>
        <h2>Access</h2>
        <p id="access-reason"></p>
        <p><label for="token">${isAuthorized ? 'Access token' : 'URL of the board, or its token'}</label>
        <input id="token" type="password" autocomplete="off" spellcheck="false" required></p>
        <button>Open the board</button>
      </form>
      <section id="list" hidden aria-labelledby="list-title">
        <h2 id="list-title" class="unseen">List</h2>
        <nav id="statuses" aria-label="Status"></nav>
        <form id="filter" role="search">
          <p><label for="by-id">Id, or its beginning</label>
          <input id="by-id" type="search" autocomplete="off" spellcheck="false" maxlength="64"
            pattern="[0-9A-Za-z_\\-]*" title="Letters, digits, - and _" aria-keyshortcuts="/"></p>
          <p><label for="by-tool">Tool</label>
          <input id="by-tool" type="search" autocomplete="off" spellcheck="false" maxlength="2000"></p>
          <p><label for="by-owner">Owner</label>
          <input id="by-owner" type="search" autocomplete="off" spellcheck="false" maxlength="2000"></p>
          <p><button>Search</button> <button type="button" id="clear">Clear</button></p>
        </form>
        <p id="found" role="status"></p>
        <table id="tasks">
          <caption class="unseen">Tasks, newest first</caption>
          <thead><tr>
            <th scope="col">Id</th><th scope="col">Status</th><th scope="col">Tool</th>
            <th scope="col">Message</th><th scope="col">Created</th><th scope="col">Changed</th>
            <th scope="col">Took</th><th scope="col">Owner</th>
          </tr></thead>
          <tbody></tbody>
        </table>
        <nav id="pages" aria-label="Pages"><a id="newest" href="#">Newest</a> <a id="older" href="#">Older</a></nav>
      </section>
      <article id="task" hidden aria-labelledby="task-title"></article>
    </main>
    <dialog id="confirm" aria-labelledby="confirm-title">
      <form method="dialog">
        <h2 id="confirm-title"></h2>
        <p id="confirm-text"></p>
        <p><button value="yes" id="confirm-yes"></button> <button value="no" autofocus>No, leave it</button></p>
      </form>
    </dialog>
  </body>
</html>
`;
}
