import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

/** Each folder of `examples/`, copied out of this repository, with this repository's packages. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLES = readdirSync(join(root, 'examples'), { withFileTypes: true })
  .filter((each) => each.isDirectory())
  .map(({ name }) => name);

/** Without it the page's test is skipped. */
const CHROMIUM = '/usr/bin/chromium';

let copies: string;
beforeAll(() => {
  copies = mkdtempSync(join(tmpdir(), 'mcp-codegen-examples-'));
  symlinkSync(join(root, 'node_modules'), join(copies, 'node_modules'), 'junction');
  cpSync(join(root, 'examples'), copies, {
    recursive: true,
    filter: (path) => !/\/(?:dist|films|node_modules)$/.test(path),
  });
});
afterAll(() => rmSync(copies, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  /** Both streams. */
  readonly output: string;
}

function sh(line: string, cwd: string): Promise<Ran> {
  return new Promise((resolve) => {
    execFile('sh', ['-c', `{ ${line}; } 2>&1`], { cwd }, (error, output) => {
      resolve({ code: error === null ? 0 : Number(error.code), output });
    });
  });
}

/** The project's test builds it first. */
async function passesItsTest(example: string): Promise<string> {
  const folder = join(copies, example);
  const { code, output } = await sh('npm test --silent', folder);
  expect(code, output).toBe(0);
  expect(existsSync(join(folder, 'dist')) || !existsSync(CHROMIUM)).toBe(true);
  return folder;
}

describe.concurrent('outside of this repository', () => {
  it('long-job builds, starts and passes its test', async () => {
    await passesItsTest('long-job');
  });

  it('gateway builds and passes its test, and starts as its README says', async () => {
    const folder = await passesItsTest('gateway');
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    const [, command = '', printed = ''] =
      /^(echo [^\n]*)\n```\n\n```\n([^]*?)\n```/m.exec(readme) ?? [];
    expect(printed).toContain('-32602');
    const { output } = await sh(command, folder);
    expect(output).toContain(printed.split('…')[0]);
  });

  it('browser-types builds and passes its test, and serves its page', async () => {
    const child = spawn('npm', ['start', '--silent'], {
      cwd: await passesItsTest('browser-types'),
      // A group of its own, because npm does not pass signals on to the program.
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    onTestFinished(() => stop(child));
    for await (const line of createInterface(child.stderr)) {
      const [url] = /http:\/\/127\S+/.exec(stripVTControlCharacters(line)) ?? [];
      if (url === undefined) continue;
      const page = await (await fetch(url)).text();
      const [, script = ''] = /<script src="([^"]+)"/.exec(page) ?? [];
      const served = await fetch(new URL(script, url));
      expect(served.headers.get('content-type')).toMatch(/javascript/);
      return;
    }
    throw new Error('npm start printed no address');
  });
});

it('browser-client builds and passes its test outside of this repository', async () => {
  await passesItsTest('browser-client');
});

function stop({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}

it('every example is tested here', () => {
  const text = readFileSync(fileURLToPath(import.meta.url), 'utf8');
  expect(EXAMPLES.filter((name) => !text.includes(`passesItsTest('${name}')`))).toEqual([]);
});

interface PackageJson {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function packageOf(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as PackageJson;
}

it.each(EXAMPLES)('%s asks for the versions that this repository tests with', (example) => {
  const ours = packageOf('.');
  const tested = {
    ...ours.dependencies,
    ...ours.devDependencies,
    '@mcp-codegen/runtime': `^${packageOf('runtime').version}`,
  };
  const { dependencies, devDependencies, optionalDependencies } = packageOf(`examples/${example}`);
  const asked = { ...dependencies, ...devDependencies, ...optionalDependencies };
  expect(tested).toMatchObject(asked);
});
