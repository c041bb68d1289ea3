import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

import { snippetsIn } from '../docs/snippets.js';

/** What a page of a project asks its reader to run, and names. */
export interface Page {
  /** In the order of the page, without comments. */
  readonly commands: readonly Command[];
  /** Files and folders, as the page has them: links, and names in code. */
  readonly paths: readonly string[];
  /** The settings of clients: JSON texts. */
  readonly settings: readonly string[];
}

interface Command {
  readonly line: string;
  /** Other words or flags that the page says the command takes. */
  readonly also: readonly string[];
}

/** Reads README.md or AGENTS.md. */
export function readPage(text: string): Page {
  const blocks = snippetsIn('', text);
  const prose = text.replaceAll(/^```[^]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ''));
  const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const inProse = quoted.flatMap((line, index) => {
    const after = quoted.slice(index + 1);
    const end = after.findIndex((each) => !each.startsWith('--'));
    return isCommand(line) ? [{ line, also: after.slice(0, end) }] : [];
  });
  return {
    commands: [...blocks.filter(({ language }) => language === 'sh').flatMap(linesOf), ...inProse],
    paths: [...links, ...quoted.filter(isPath)],
    settings: blocks.filter(({ language }) => language === 'json').map((block) => block.text),
  };
}

function linesOf({ text }: { readonly text: string }): Command[] {
  return text
    .trimEnd()
    .split('\n')
    .map((whole) => {
      const [line = '', comment = ''] = whole.split(/\s+# /);
      return { line, also: /^also: (.*)$/.exec(comment)?.[1]?.split(', ') ?? [] };
    });
}

/** Whether code in a sentence is a program of this machine with arguments. */
function isCommand(code: string): boolean {
  const [program = '', ...words] = code.split(' ');
  return /^\w+$/.test(program) && words.length > 0 && isInstalled(program);
}

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Whether code in a sentence is the name of a file, a folder or a package. */
function isPath(code: string): boolean {
  return (
    /^(?:[\w.@-]+\/)+[\w.-]*$/.test(code) ||
    /^[\w.-]*\w\.(?:conf|db|js|json|md|ts|ya?ml)$/.test(code) ||
    /^\.[a-z]{3,}(?:\.[a-z]+)?$/.test(code)
  );
}
