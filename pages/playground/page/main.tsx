import { render } from 'preact';
import { createEngine } from './engine.js';
import { Limits } from './limits.js';
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
