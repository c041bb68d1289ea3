import { ask } from '../../runtime/client/node/index.js';

/** Asks three questions at once, withdraws the second one after argv[2] ms, and prints the answers. */
const withdrawn = AbortSignal.timeout(Number(process.argv[2]));
const answers = [
  ask('First \u001b[2J?'),
  ask('Second?', withdrawn),
  ask(process.argv[3] ?? 'Third?'),
];
console.log(JSON.stringify((await Promise.all(answers)).map((each) => each ?? null)));
