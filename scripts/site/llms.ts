import type { Contents, Entry } from './contents.js';

/**
 * The text of `llms.txt` (https://llmstxt.org): the pages in the order of `docs/README.md`. Paths are relative, so the
 * file is right in the repository and on the site, which has the Markdown at the same paths.
 */
export function llmsText(summary: string, { sections, decisions }: Contents): string {
  return [
    '# mcp-codegen',
    `> ${summary}`,
    section('Start', [
      {
        title: 'README',
        path: 'README.md',
        purpose: 'install the tool, make a server and a client, call a tool as a task',
      },
    ]),
    ...sections.map(({ title, entries }) => section(title, entries)),
    section('Optional', decisions),
  ].join('\n\n');
}

const section = (title: string, entries: readonly Entry[]): string =>
  `## ${title}\n\n${entries.map(line).join('\n')}`;

const line = ({ title, path, purpose }: Entry): string => `- [${title}](${path}): ${purpose}`;
