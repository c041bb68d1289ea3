import { spawn } from 'node:child_process';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an http or https address with what the system has for that. No shell ever sees it. */
export function openInBrowser(href: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, href], { stdio: 'ignore', detached: true });
  // The address has been shown: without a browser people open it by hand.
  child.on('error', () => undefined);
  child.unref();
}
