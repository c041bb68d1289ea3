import { createHash } from 'node:crypto';
import type { Assets, Parts } from './frame.js';

/** What a page runs beside its own style and script. */
interface More {
  /** Workers that its script makes of its own texts. */
  readonly workers?: boolean;
  /** Documents that its script makes, and shows in frames. The policy of the page holds in them beside their own. */
  readonly framed?: readonly Parts[];
}

/** The parts with a Content Security Policy that allows them and nothing else. */
export function withPolicy<P extends Parts>(
  parts: P,
  { workers, framed = [] }: More = {},
): P & Assets {
  const all = [parts, ...framed];
  const scripts = all.flatMap(({ script }) => (script === undefined ? [] : [hashOf(script)]));
  const policy = [
    "default-src 'none'",
    `style-src ${all.map(({ style }) => hashOf(style)).join(' ')}`,
    ...(scripts.length === 0 ? [] : [`script-src ${scripts.join(' ')}`]),
    ...(workers ? ['worker-src blob:'] : []),
    ...(framed.length === 0 ? [] : ['frame-src blob:']),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return { ...parts, policy };
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
