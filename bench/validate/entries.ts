import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Bench, Row } from '../bench.js';
import type * as generated from '../../generated/2025-11-25/validators.js';
import { each, interleaved, ratios } from './measure.js';
import { prepared } from './prepare.js';
import type { Prepared } from './prepare.js';
import { limited, PARSES } from './rows.js';
import { parsed, picture, TRAFFIC } from './traffic.js';
import type { TrafficRevision } from './traffic.js';

const EFFORT = { rounds: 9, warmUp: 300_000 };
const PICTURE = 1_000_000;

/** The cost of a union beyond its member, and the cost of checking formats. */
export function entries(revision: TrafficRevision): Bench {
  return {
    name: `validate/entries ${revision}`,
    run: () => prepared(revision, async (all) => [await union(revision, all), await base64(all)]),
  };
}

type Is = (value: unknown, options?: { readonly formats: boolean }) => boolean;

async function union(revision: TrafficRevision, { inputs }: Prepared): Promise<Row> {
  const ours = (await import(inputs.validators)) as Readonly<Record<string, Is>>;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(inputs.schema, 'mcp');
  const requests = TRAFFIC[revision]
    .filter(({ from, answers, message }) => from === 'client' && !answers && 'id' in message)
    .map((sample) => parsed(sample).message)
    .map((message) => {
      const definition = inputs.rules.requests[message['method'] as string] ?? '';
      const [whole, own] = ['ClientRequest', definition].map((name) =>
        ajv.getSchema(`mcp#/$defs/${name}`),
      );
      return { message, is: ours[`is${definition}`], whole, own };
    });
  const found = interleaved(
    {
      union: each(requests, ({ message }) => ours['isClientRequest']?.(message)),
      own: each(requests, ({ message, is }) => is?.(message)),
      theirUnion: each(requests, ({ message, whole }) => whole?.(message)),
      theirOwn: each(requests, ({ message, own }) => own?.(message)),
    },
    EFFORT,
  );
  return limited({
    row: 'ClientRequest ÷ the definition itself',
    limit: 1.5,
    samples: new Map([
      ['ours', ratios(found.union, found.own)],
      ['ajv', ratios(found.theirUnion, found.theirOwn)],
    ]),
    unit: '×',
  });
}

async function base64({ inputs }: Prepared): Promise<Row> {
  const { validateResultOf } = (await import(inputs.validators)) as typeof generated;
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  ajv.addFormat('uri-template', true);
  ajv.addSchema(inputs.schema, 'mcp');
  const theirs = ajv.getSchema('mcp#/$defs/CallToolResult');
  const text = JSON.stringify({
    resultType: 'complete',
    content: [{ type: 'image', data: picture(PICTURE), mimeType: 'image/png' }],
  });
  const value = JSON.parse(text) as unknown;
  if (!validateResultOf('tools/call', value, { formats: true }).ok || theirs?.(value) !== true) {
    throw new Error('the picture is refused');
  }
  const found = interleaved(
    {
      parse: () => void JSON.parse(text),
      ours: () => void validateResultOf('tools/call', value, { formats: true }),
      theirs: () => void theirs(value),
    },
    EFFORT,
  );
  return limited({
    row: 'a picture of 1 MB, formats asserted ÷ JSON.parse',
    limit: 0.5,
    samples: new Map([
      ['ours', ratios(found.ours, found.parse)],
      ['ajv', ratios(found.theirs, found.parse)],
    ]),
    unit: PARSES,
  });
}
