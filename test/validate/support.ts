import { PROTOCOLS } from '../../contracts/protocols/protocols.js';
import { Library, mergeRows, validateInput } from '../../contracts/validate/index.js';
import type {
  Counts,
  Finding,
  Row,
  SkippedLines,
  ValidateOptions,
} from '../../contracts/validate/index.js';

export interface Outcome {
  readonly findings: readonly Finding[];
  readonly counts: Counts;
  readonly skipped: readonly SkippedLines[];
  readonly revisions: readonly string[];
  readonly rows: readonly Row[];
}

type Options = Partial<Omit<ValidateOptions, 'library' | 'onFinding'>>;

/** Validates bytes that arrive in these pieces; every piece is overwritten after its turn. */
export async function validatePieces(
  pieces: Iterable<Uint8Array>,
  options: Options = {},
): Promise<Outcome> {
  const findings: Finding[] = [];
  const library = new Library(PROTOCOLS);
  const chunks = (async function* () {
    for (const piece of pieces) {
      const chunk = await Promise.resolve(Uint8Array.from(piece));
      yield chunk;
      chunk.fill(0x7d);
    }
  })();
  const tally = await validateInput('trace', chunks, {
    ...options,
    library,
    onFinding: (finding) => findings.push(finding),
  });
  const { counts, revisions, skipped } = tally;
  return { findings, counts, skipped, revisions: [...revisions], rows: mergeRows([tally]) };
}

export function validateText(text: string, options: Options = {}): Promise<Outcome> {
  return validatePieces([Buffer.from(text)], options);
}

/** One JSON text a line. */
export function lines(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** What is said of whom, without the rest. */
export function brief({ findings }: Outcome): string[] {
  return findings.map(({ line, code, pointer = '' }) => `${String(line)} ${code} ${pointer}`);
}

const jsonrpc = '2.0';

export const INITIALIZE = {
  jsonrpc,
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'client', version: '1' },
  },
};

/** The answer to `INITIALIZE`. */
export const initialized = (protocolVersion = '2025-11-25', id: unknown = 0) => ({
  jsonrpc,
  id,
  result: {
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'server', version: '1' },
  },
});

export const call = (id: unknown, params: object = { name: 'search' }, method = 'tools/call') => ({
  jsonrpc,
  id,
  method,
  params,
});

export const answer = (id: unknown, result: object = { content: [] }) => ({ jsonrpc, id, result });

export const START = [INITIALIZE, initialized()];
