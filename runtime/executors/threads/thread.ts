/**
 * What each thread runs first: it answers an `Order` with `Reply` messages. It is a text, because a bundle of a server has
 * no file beside it that a thread could start with, and it uses nothing that a thread does not need.
 */
export const THREAD = `
const { parentPort } = require('node:worker_threads');

async function serve({ module, args }) {
  try {
    const { run } = await import(module);
    const report = (progress) => parentPort.postMessage({ kind: 'progress', progress });
    parentPort.postMessage({ kind: 'done', result: await run(args, report) });
  } catch (error) {
    const thrown = error instanceof Error ? error : new Error(String(error));
    parentPort.postMessage({ kind: 'failed', error: thrown });
  }
}

parentPort.on('message', serve);
`;
