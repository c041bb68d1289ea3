import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A fenced block of a page. */
export interface Snippet {
  readonly page: string;
  /** The number of the block's first line. */
  readonly line: number;
  readonly language: string;
  /** The words after the language: `declaration` marks a generated one, which is not code to copy. */
  readonly words: string;
  readonly text: string;
}

/** Generated declarations, which are not code to copy. */
const DECLARATIONS = 'docs/api-surface.md';

/** README.md, the page of the runtime package, and the pages in docs/. */
export function pages(): readonly string[] {
  const docs = readdirSync(`${root}docs`).filter((name) => name.endsWith('.md'));
  return ['README.md', 'runtime/README.md', ...docs.map((name) => `docs/${name}`)].filter(
    (page) => page !== DECLARATIONS,
  );
}

export function snippetsIn(page: string, text = readFileSync(root + page, 'utf8')): Snippet[] {
  return [...text.matchAll(/^( *)```(\w*)([^\n]*)\n(.*?)^\1```$/gms)].map((match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length + 1,
    language: match[2] ?? '',
    words: match[3]?.trim() ?? '',
    text: match[4] ?? '',
  }));
}

/** Calls of `npx mcp-codegen` in a shell block: the arguments. */
export function callsIn({ text }: Snippet): string[][] {
  return text
    .split('\n')
    .map((line) => line.replace(/^\s*\$ |\s+#.*$/g, '').trim())
    .flatMap((line) => line.split(/\s*(?:&&|\||;)\s*/))
    .filter((command) => command.startsWith('npx mcp-codegen '))
    .map((command) => wordsOf(command).slice(2));
}

function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}

/** Puts the code after the imports into a function, because CommonJS has no top-level `await`. */
export function asCommonJs(text: string): string {
  const lines = text.split('\n');
  if (!lines.some((line) => /^(?:(?:const .* = )?await |try \{)/.test(line))) return text;
  const end = lines.findLastIndex((line) => /^(?:import |\} from )/.test(line)) + 1;
  const body = lines.slice(end).join('\n');
  return `${lines.slice(0, end).join('\n')}\nvoid (async () => {\n${body}\n})();\n`;
}
