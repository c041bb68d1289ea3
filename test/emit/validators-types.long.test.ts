import { expect, it } from 'vitest';
import { emitTypes } from '../../generator/emit/types/emit-types.js';
import { emitValidators } from '../../generator/emit/validators/index.js';
import { REVISIONS } from '../../generator/read/load/index.js';
import { revisionOf, supportFiles } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';
import { compileWith, typeScriptVersions } from '../support/ts-compile.js';

/** Typical code of a server without an SDK. Every line compiles only if the types are right. */
const USER = `
import * as core from './2025-11-25/validators.js';
import * as late from './2026-07-28/validators.js';
import * as tasks from './ext-tasks/validators.js';
import type * as types from './2025-11-25/types.js';

export function serve(text: string | Uint8Array): unknown {
  const decoded = core.decode(text, { from: 'client' });
  if (!decoded.ok) return decoded.reply?.error.code;
  switch (decoded.kind) {
    case 'request':
      if (decoded.value.method === 'tools/call') {
        const name: string = decoded.value.params.name;
        return name;
      }
      return decoded.value.id;
    case 'notification': {
      const method: types.ClientNotification['method'] = decoded.value.method;
      return method;
    }
    case 'response':
      return decoded.value.result;
    case 'error': {
      const code: number = decoded.value.error.code;
      return code;
    }
  }
}

export function results(value: unknown): string {
  const listed = core.validateResultOf('tools/list', value);
  if (!listed.ok) return listed.errors[0]?.message ?? '';
  const called = late.validateResultOf('tools/call', value, { extensions: [tasks.wire] });
  if (called.ok && 'taskId' in called.value) return called.value.taskId;
  const unchecked: unknown = core.validateResultOf('a/method' as string, value);
  return listed.value.tools.map(({ name }) => name).join() + String(unchecked);
}

export function extended(value: unknown): string | undefined {
  const received = late.validateMessage(value, { from: 'client', extensions: [tasks.wire] });
  if (!received.ok || received.kind !== 'request') return undefined;
  return received.value.method === 'tasks/get' ? received.value.params.taskId : undefined;
}

export function plain(value: unknown): number | undefined {
  if (core.isTask(value)) return value.ttl ?? undefined;
  const checked = core.validateRequest(value);
  const sent = core.validateMessage(value, { from: 'server', formats: true, maxErrors: 5 });
  if (sent.ok && sent.kind === 'request' && sent.value.method === 'roots/list') return 1;
  return checked.ok ? checked.value.method.length : undefined;
}

// @ts-expect-error a server never sends this
export const never: core.Messages['server']['request']['method'] = 'tools/call';
`;

/** The revisions that it imports. */
const USED = ['2025-11-25', '2026-07-28', 'ext-tasks'] as const;

/** A schema without messages. */
const SMALL = protocolOf({
  Word: { type: 'string' },
  Nothing: { not: {} },
  Anything: {},
  Text: { type: 'string', pattern: `^it's "/[']` },
  Links: { type: 'array', items: { type: 'string', format: 'uri' } },
  Empty: { type: 'object', additionalProperties: false },
  Nested: { type: 'object', additionalProperties: { $ref: '#/$defs/Nested' } },
});

it.each(typeScriptVersions)(
  'compiles with typical user code under TypeScript %s',
  async (version) => {
    // The others are for the quick compiler.
    const revisions = version === '7.0' ? REVISIONS : USED;
    const protocols = [
      ...revisions.map((revision) => [revision, revisionOf(revision).protocol] as const),
      ['small', SMALL] as const,
    ];
    const files: Record<string, string> = { 'user.ts': USER };
    for (const [name, protocol] of protocols) {
      files[`${name}/types.ts`] = await emitTypes(protocol);
      files[`${name}/validators.ts`] = emitValidators(protocol);
    }
    Object.assign(files, supportFiles(Object.values(files)));
    const unused = { noUnusedLocals: true, noUnusedParameters: true, noImplicitReturns: true };
    expect(await compileWith(version, files, { lib: ['es2022'], ...unused })).toEqual([]);
    expect(await compileWith(version, files, { lib: ['es2022', 'dom'], types: ['node'] })).toEqual(
      [],
    );
  },
);
