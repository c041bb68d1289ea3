import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { TRAFFIC, TRAFFIC_REVISIONS } from '../../bench/validate/traffic.js';
import { casesOf } from '../../bench/validate/tools/cases.js';
import { writeOurs } from '../../bench/validate/tools/contenders.js';

const generated = fileURLToPath(new URL('../../generated', import.meta.url));

/**
 * Every message of the benchmark and some that are broken, as they arrive, and the arguments of 48 tools. It
 * exports `verdicts()`, one text for each, and `evaluates()`, whether the run-time makes code from texts.
 */
const source = (): string => `
${TRAFFIC_REVISIONS.map((revision, i) => `import * as r${String(i)} from '${generated}/${revision}/validators.ts';`).join('\n')}
import * as tools from './tools/validators.ts';

const revisions = [${TRAFFIC_REVISIONS.map((_, i) => `r${String(i)}`).join(', ')}];
const messages = ${JSON.stringify(messages())};
const calls = ${JSON.stringify(calls())};

export function verdicts() {
  const received = messages.map(({ revision, text, from, answers }) => {
    const { decode, validateMessage } = revisions[revision];
    const options = { from, methodOf: () => answers, formats: true };
    const bytes = new TextEncoder().encode(text);
    return [validateMessage(JSON.parse(text), options), decode(text, options), decode(bytes, options)];
  });
  const judged = calls.map(({ tool, value }) => [
    tools['isTool' + tool](value),
    tools['validateTool' + tool](value, { formats: true }),
  ]);
  return [...received, ...judged].map((each) => JSON.stringify(each));
}

export function evaluates() {
  try {
    return new Function('return true')();
  } catch {
    return false;
  }
}
`;

function messages(): object[] {
  return TRAFFIC_REVISIONS.flatMap((name, revision) =>
    TRAFFIC[name].flatMap(({ message, from, answers }) => {
      const text = JSON.stringify(message);
      const broken = [
        text.replaceAll('"text"', '"test"'),
        text.replaceAll('"name":"', '"name":1,"was":"'),
        text.replace('"jsonrpc":"2.0"', '"jsonrpc":2'),
        text.replace('file:///srv', 'not a link'),
      ];
      return [text, ...broken].map((each) => ({ revision, text: each, from, answers }));
    }),
  );
}

function calls(): object[] {
  return casesOf().flatMap(({ valid, broken }, tool) =>
    [...valid, ...broken].map((value) => ({ tool, value })),
  );
}

/** One file without imports, for every run-time. */
export async function bundledProgram(folder: string): Promise<string> {
  writeOurs(folder);
  const { outputFiles } = await build({
    stdin: { contents: source(), resolveDir: folder },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
