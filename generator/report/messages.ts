import { html } from '../page/index.js';
import type { Html } from '../page/index.js';
import type { Recorder } from './recorder.js';

/** The frame of the sequence of messages, which the script fills. */
export function messagesSection({ inputs, sessions, tasks }: Recorder): Html {
  return html`<section id="messages" aria-labelledby="messages-title">
    <h2 id="messages-title">Messages</h2>
    <noscript><p class="notice">The sequence of messages needs JavaScript.</p></noscript>
    <form id="filters" role="search" aria-label="Messages">
      <div class="wide">
        <label for="search">Search in messages</label>
        <input
          id="search"
          type="search"
          autocomplete="off"
          spellcheck="false"
          aria-keyshortcuts="/"
          placeholder="Press / to search"
        />
      </div>
      ${choice('method', 'Method')} ${choice('finding', 'Severity or rule')}
      ${choice('side', 'Sender')} ${tasks.list.length > 0 && choice('task', 'Task')}
      ${inputs.length > 1 && choice('file', 'File')}
      ${sessions.length > 0 && choice('session', 'Session')}
      <button type="button" id="clear">Show all</button>
    </form>
    <p id="found" role="status"></p>
    <p class="legend" aria-hidden="true">
      <span class="key request">request</span> <span class="key response">result</span>
      <span class="key error">error</span> <span class="key notification">notification</span>
      <span class="key question">question</span>
    </p>
    <div class="sequence">
      <div class="flow">
        <div class="parties" aria-hidden="true">
          <span id="client">Client</span> <span id="server">Server</span>
        </div>
        <div
          id="list"
          role="listbox"
          tabindex="0"
          aria-label="Messages"
          aria-describedby="keys"
        ></div>
        <p id="keys" class="quiet">
          <kbd>↑</kbd> <kbd>↓</kbd> next message, <kbd>n</kbd> <kbd>p</kbd> next and previous
          finding, <kbd>a</kbd> answer or request, <kbd>Enter</kbd> read it
        </p>
      </div>
      <div id="detail" tabindex="0" role="region" aria-label="The chosen message"></div>
    </div>
    <div id="printed"></div>
  </section>`;
}

function choice(name: string, label: string): Html {
  return html`<div>
    <label for="${name}">${label}</label>
    <select id="${name}">
      <option value="">All</option>
    </select>
  </div>`;
}
