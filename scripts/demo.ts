import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { demoTasks } from './demo-tasks.js';
import type * as Validators from '../generated/2025-11-25/validators.js';
import type * as Schemas from '../generated/2025-11-25/zod.js';

/**
 * `npm run demo` shows the main features: generating from schemas, checking messages, and tasks that
 * survive a crash. It runs the built command line. With `-- --keep` it keeps the projects that it makes.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = join(root, 'dist/cli/bin.js');

const { keep } = parseArgs({ options: { keep: { type: 'boolean', default: false } } }).values;

/** A folder below the checkout, so that generated code finds zod. It is removed at the end, unless kept. */
mkdirSync(join(root, '.cache'), { recursive: true });
const out = mkdtempSync(join(root, '.cache', 'demo-'));

function heading(text: string): void {
  console.log(`\n== ${text}`);
}

function show(...args: string[]): void {
  console.log(`$ mcp-codegen ${args.join(' ').replace(out, '<out>')}`);
}

function generateAll(): void {
  show('generate', '--out', out);
  execFileSync(process.execPath, [cli, 'generate', '--out', out], { stdio: 'inherit' });
}

/** Shows the counts and the methods only, because the definitions would fill the screen. */
function summariseDiff(before: string, after: string): void {
  show('diff', before, after);
  const text = execFileSync(process.execPath, [cli, 'diff', before, after], { encoding: 'utf8' });
  console.log(text.slice(0, text.indexOf('\nDefinitions\n')));
}

async function load<T>(revision: string, file: string): Promise<T> {
  return (await import(pathToFileURL(join(out, revision, `${file}.ts`)).href)) as T;
}

/** The messages of a conversation with their senders. */
const MESSAGES = [
  {
    revision: '2024-11-05',
    from: 'client',
    text: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1}}}',
  },
  {
    revision: '2025-06-18',
    from: 'server',
    text: '{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"message":"Size?","requestedSchema":{"type":"object","properties":{"size":{"type":"number"}}}}}',
  },
  {
    revision: '2025-11-25',
    from: 'client',
    text: '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"render","task":{"ttl":60000}}}',
  },
  {
    revision: '2025-11-25',
    from: 'client',
    text: '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":7,"task":{"ttl":"soon"}}}',
  },
  {
    revision: '2025-11-25',
    from: 'server',
    text: '{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"t1","status":"paused"}}',
  },
  {
    revision: '2026-07-28',
    from: 'client',
    text: '{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{}}',
  },
  {
    revision: '2026-07-28',
    from: 'client',
    text: '{"jsonrpc":"2.0","id":6,"method":"tools/remove"}',
  },
  { revision: '2026-07-28', from: 'client', text: '{"jsonrpc":"2.0","id":7,' },
] as const;

async function checkMessages(): Promise<void> {
  for (const { revision, from, text } of MESSAGES) {
    const { decode } = await load<typeof Validators>(revision, 'validators');
    const decoded = decode(text, { from });
    console.log(`\n${revision}  ${from} sends ${text}`);
    if (decoded.ok) {
      console.log('  valid');
    } else {
      console.log(
        decoded.reply ? `  answer with ${String(decoded.code)}:` : '  drop it, unanswered:',
      );
      for (const { pointer, message } of decoded.errors) {
        console.log(`    ${pointer || '(message)'}: ${message}`);
      }
    }
  }
}

async function composeSchemas(): Promise<void> {
  const { ToolSchema } = await load<typeof Schemas>('2025-11-25', 'zod');
  const Named = ToolSchema.pick({ name: true, title: true });
  console.log('\nToolSchema.pick({ name: true, title: true }) accepts');
  for (const value of [{ name: 'add' }, { name: 'add', title: 1 }]) {
    const { success, error } = Named.safeParse(value);
    console.log(
      `  ${JSON.stringify(value)}: ${success ? 'yes' : `no: ${error.issues[0]?.message ?? ''}`}`,
    );
  }
}

/** What to try with the projects; they find the packages of this repository. */
function sayWhatIsKept(): void {
  const local = join(out, 'local');
  console.log(`
The projects are in ${relative(process.cwd(), out)}: the servers local (stdio) and shop (HTTP), and client.

Try next:
  cd ${relative(process.cwd(), local)}
  node ${relative(local, cli)} new tool look_up --task
  npm test && npm run build
  node ../client/dist/main.js look_up '{"text":"Hello"}' -- node dist/main.js`);
}

try {
  heading('1. Generate every revision');
  generateAll();
  heading('2. Check messages with the generated validators');
  await checkMessages();
  heading('3. Compose with the generated Zod schemas');
  await composeSchemas();
  heading('4. See what the next revision changes');
  summariseDiff('2025-11-25', '2026-07-28');
  await demoTasks({ cli, out, heading });
  if (keep) sayWhatIsKept();
} finally {
  if (!keep) rmSync(out, { recursive: true, force: true });
}
