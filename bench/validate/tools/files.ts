import { choice, closed, flag, list, named, object, text, tool, whole } from './schema.js';
import type { ToolSchema } from './schema.js';

const path = named('Path below an allowed folder', '^[^\\u0000]+$', 'notes/today.md');
const glob = text('A glob', { minLength: 1, maxLength: 500 });

/** As servers of file systems and shells have them. */
export const FILE_TOOLS: readonly ToolSchema[] = [
  tool(
    'read_file',
    {
      path,
      head: whole('First lines', { minimum: 1 }),
      tail: whole('Last lines', { minimum: 1 }),
      encoding: choice('Encoding', 'utf-8', 'utf-16le', 'latin1', 'base64'),
    },
    ['path'],
    { not: { required: ['head', 'tail'] } },
  ),
  tool('read_files', { paths: list(path, { minItems: 1, maxItems: 100 }) }, ['paths'], closed),
  tool(
    'write_file',
    {
      path,
      content: text('Content'),
      mode: named('Mode', '^0?[0-7]{3}$', '644'),
      append: flag('Append'),
    },
    ['path', 'content'],
    closed,
  ),
  tool(
    'edit_file',
    {
      path,
      edits: list(
        object(
          {
            oldText: text('Text to find', { minLength: 1 }),
            newText: text('Its replacement'),
            replaceAll: flag('Every occurrence'),
          },
          ['oldText', 'newText'],
          closed,
        ),
        { minItems: 1 },
      ),
      dryRun: flag('Only show the difference'),
    },
    ['path', 'edits'],
    closed,
  ),
  tool(
    'search_files',
    {
      path,
      pattern: glob,
      exclude: list(glob, { default: [] }),
      maxResults: whole('Most results', { minimum: 1, maximum: 10000, default: 100 }),
      type: choice('Kind', 'file', 'directory', 'any'),
      size: object({ min: whole('Bytes', { minimum: 0 }), max: whole('Bytes', { minimum: 0 }) }),
      modified: object({ after: { type: 'string', format: 'date', examples: ['2026-01-02'] } }),
    },
    ['path', 'pattern'],
  ),
  tool(
    'search_content',
    {
      regex: text('Regular expression', { minLength: 1 }),
      path,
      include: list(glob),
      exclude: list(glob),
      caseSensitive: flag('Case matters', true),
      contextBefore: whole('Lines before', { minimum: 0, maximum: 50 }),
      contextAfter: whole('Lines after', { minimum: 0, maximum: 50 }),
      output: choice('Form', 'content', 'files', 'count'),
      limit: whole('Most matches', { minimum: 1, maximum: 5000 }),
    },
    ['regex'],
    closed,
  ),
  tool(
    'directory_tree',
    {
      path,
      depth: whole('Levels', { minimum: 1, maximum: 20 }),
      exclude: list(glob),
      sizes: flag('Sizes'),
    },
    ['path'],
    closed,
  ),
  tool(
    'execute_command',
    {
      command: { oneOf: [text('Line'), list(text('Argument'), { minItems: 1 })] },
      cwd: path,
      env: {
        type: 'object',
        additionalProperties: { type: 'string' },
        propertyNames: { pattern: '^[A-Z_][A-Z0-9_]*$', examples: ['NODE_ENV'] },
      },
      timeoutMs: whole('Milliseconds', { minimum: 0, maximum: 600000, default: 30000 }),
      shell: choice('Shell', 'bash', 'sh', 'zsh', 'pwsh'),
      stdin: text('Input'),
    },
    ['command'],
    closed,
  ),
];
