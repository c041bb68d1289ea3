/* global document */
import { say } from './dom.js';

const byId = (id) => document.getElementById(id);

let asked = Promise.resolve();

/**
 * Resolves with whether the person agreed before `signal` ended the question. A dialog's event comes late, so the next
 * question waits for it, and who agreed may have left by then.
 */
export function confirmed(question, signal) {
  asked = asked.then(() => !signal.aborted && confirm(question, signal));
  return asked;
}

/** The focus goes back to the button, which may be a new one. */
function confirm({ opener, title, text, yes }, signal) {
  const dialog = byId('confirm');
  say(byId('confirm-title'), title);
  say(byId('confirm-text'), text);
  say(byId('confirm-yes'), yes);
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    // Changes nothing once there is an answer.
    const end = () => dialog.close('no');
    const close = () => {
      signal.removeEventListener('abort', end);
      if (!signal.aborted) byId(opener)?.focus();
      resolve(dialog.returnValue === 'yes');
    };
    dialog.addEventListener('close', close, { once: true });
    signal.addEventListener('abort', end, { once: true });
  });
}
