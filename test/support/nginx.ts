import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../runtime/testing/free-port.js';

const NGINX = '/usr/sbin/nginx';

export const hasNginx = existsSync(NGINX);

/** A request that nginx has passed on, as it noted it. */
export interface Passed {
  /** `host:port`, and more of them with a comma if it tried several nodes. */
  readonly upstream: string;
  readonly status: number;
}

export interface Nginx {
  /** `http://127.0.0.1:…` */
  readonly origin: string;
  /** Every request whose answer has ended. */
  readonly passed: () => readonly Passed[];
  readonly stop: () => Promise<void>;
}

/** Starts nginx with a site for `conf.d`, made for the port that nginx listens at. */
export async function startNginx(site: (port: number) => string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-nginx-'));
  const [log, errors] = [join(folder, 'passed.log'), join(folder, 'error.log')];
  const port = await freePort();
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(join(folder, 'site.conf'), site(port));
  writeFileSync(
    join(folder, 'nginx.conf'),
    [
      // Only root can start processes of another user, and that user could not write here.
      process.getuid?.() === 0 ? 'user root;' : '',
      `daemon off; pid ${folder}/pid; error_log ${errors}; worker_processes 1;`,
      'events {}',
      'http {',
      ...kinds.map((kind) => `  ${kind}_temp_path ${folder}/${kind};`),
      `  log_format passed '{"upstream":"$upstream_addr","status":$status}';`,
      `  access_log ${log} passed;`,
      '  include site.conf;',
      '}',
    ].join('\n'),
  );
  const args = ['-e', errors, '-p', folder, '-c', join(folder, 'nginx.conf')];
  const child = spawn(NGINX, args, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  while (!(await answers(origin))) {
    if (child.exitCode !== null) throw new Error(readFileSync(errors, 'utf8'));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    origin,
    passed: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Passed),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

function answers(origin: string): Promise<boolean> {
  return fetch(`${origin}/health`).then(
    () => true,
    () => false,
  );
}
