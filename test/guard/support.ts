import { PROTOCOLS } from '../../contracts/protocols/protocols.js';
import { createGuard } from '../../contracts/recording/guard/index.js';
import type { GuardFinding, GuardOptions } from '../../contracts/recording/guard/index.js';
import type { Lock, Sent } from '../../contracts/lock/index.js';
import type { Ruling } from '../../contracts/recording/proxy/index.js';
import { DIALECT_REVISIONS } from '../../generator/ir/revisions/index.js';

type Message = Readonly<Record<string, unknown>>;

export const ADD: Sent = {
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  outputSchema: {
    type: 'object',
    properties: { sum: { type: 'number' } },
    required: ['sum'],
  },
};

export const LOCK: Lock = {
  lockVersion: 1,
  revision: DIALECT_REVISIONS.core,
  instructions: 'Adds.',
  capabilities: { tools: {}, prompts: {} },
  tools: [ADD],
  prompts: [{ name: 'greet' }],
  resources: [],
  resourceTemplates: [],
};

/** A guard with the lock, and a conversation whose handshake is done. */
export async function guardedSession(
  options: Partial<GuardOptions> = {},
  speaks = options.lock?.revision ?? LOCK.revision,
  declared: object = {},
) {
  const findings: GuardFinding[] = [];
  const guard = createGuard({
    protocols: PROTOCOLS,
    lock: LOCK,
    onFinding: (finding) => findings.push(finding),
    ...options,
  });
  let ids = 0;
  const see = async (
    from: 'client' | 'server',
    message: unknown,
    session = 1,
  ): Promise<Ruling | undefined> => await guard.see({ from, session, message });

  /** Sends a request of the client; returns what becomes of it, and its id. */
  async function ask(
    method: string,
    params: object,
  ): Promise<{ id: number; ruling: Ruling | undefined }> {
    const id = (ids += 1);
    return { id, ruling: await see('client', { jsonrpc: '2.0', id, method, params }) };
  }

  /** Sends a request, and its result; returns what becomes of the result. */
  async function answered(
    method: string,
    params: object,
    result: unknown,
  ): Promise<Ruling | undefined> {
    const { id } = await ask(method, params);
    return await see('server', { jsonrpc: '2.0', id, result });
  }

  /** The codes of the findings since the last call. */
  const codes = (): string[] => findings.splice(0).map(({ code }) => code);

  const { capabilities, instructions } = { ...LOCK, ...options.lock };
  await answered(
    'initialize',
    { protocolVersion: speaks, capabilities: declared, clientInfo: { name: 'c', version: '1' } },
    {
      protocolVersion: speaks,
      capabilities,
      serverInfo: { name: 's', version: '1' },
      instructions,
    },
  );
  await see('client', { jsonrpc: '2.0', method: 'notifications/initialized' });
  return { guard, findings, codes, see, ask, answered };
}

export const errorOf = (message: unknown): Message => (message as { error: Message }).error;
