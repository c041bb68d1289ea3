import { spawn } from 'node:child_process';
import { platform } from 'node:os';

const OPENERS: Readonly<Partial<Record<string, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an http or https address with the program that the system has for it, without a shell. */
export function openInBrowser(href: string): void {
  const [command, ...args] = OPENERS[platform()] ?? ['xdg-open'];
  const child = spawn(command, [...args, href], { stdio: 'ignore', detached: true });
  // The address is printed too: without a browser, users open it by hand.
  child.on('error', () => undefined);
  child.unref();
}
