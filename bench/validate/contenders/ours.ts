import type * as generated from '../../../generated/2025-11-25/validators.js';
import type { Contender, Inputs } from '../contender.js';

export async function open({ validators }: Inputs): Promise<Contender> {
  const { validateMessage } = (await import(validators)) as typeof generated;
  let answered: string | undefined;
  const client = { from: 'client', methodOf: () => answered } as const;
  const server = { from: 'server', methodOf: () => answered } as const;
  return {
    receive({ message, from, answers }) {
      answered = answers;
      return validateMessage(message, from === 'client' ? client : server).ok;
    },
    report({ message, from, answers }) {
      answered = answers;
      const received = validateMessage(message, from === 'client' ? client : server);
      return received.ok ? 0 : received.errors.length;
    },
  };
}
