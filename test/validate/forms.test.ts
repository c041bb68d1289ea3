import { describe, expect, it } from 'vitest';
import {
  answer,
  brief,
  call,
  INITIALIZE,
  initialized,
  lines,
  START,
  validatePieces,
  validateText,
} from './support.js';

const MESSAGES = [...START, call(1, { name: 5 }), answer(1, { content: 'none' })];
const pretty = (value: unknown): string => JSON.stringify(value, null, 2);
const tagged = (tag: (isServer: boolean) => string): string =>
  MESSAGES.map((each, index) => `${tag(index % 2 === 1)}${JSON.stringify(each)}\n`).join('');

describe('every form of input gives the same findings', () => {
  it.each<[string, string, string[]]>([
    ['JSON Lines', lines(...MESSAGES), ['3 /params/name', '4 /result/content']],
    [
      'JSON Lines with a byte order mark and CRLF',
      `\ufeff${lines(...MESSAGES).replaceAll('\n', '\r\n')}`,
      ['3 /params/name', '4 /result/content'],
    ],
    ['no line end at the end', lines(...MESSAGES).trim(), ['3 /params/name', '4 /result/content']],
    [
      'blank lines',
      lines(...MESSAGES).replaceAll('\n', '\n \n\n'),
      ['7 /params/name', '10 /result/content'],
    ],
    ['an array on one line', JSON.stringify(MESSAGES), ['1 /2/params/name', '1 /3/result/content']],
    ['an array on many lines', pretty(MESSAGES), ['29 /2/params/name', '37 /3/result/content']],
    [
      'an array, one element a line',
      `[\n${MESSAGES.map((each) => JSON.stringify(each)).join(',\n')}\n]`,
      ['4 /2/params/name', '5 /3/result/content'],
    ],
    [
      'documents that take many lines',
      MESSAGES.map(pretty).join('\n'),
      ['28 /params/name', '36 /result/content'],
    ],
    ['arrows', tagged((is) => (is ? '<-- ' : '--> ')), ['3 /params/name', '4 /result/content']],
    [
      'arrows before many lines',
      MESSAGES.map((each, index) => `${index % 2 ? '<--' : '-->'} ${pretty(each)}`).join('\n'),
      ['28 /params/name', '36 /result/content'],
    ],
    [
      'a time and names',
      tagged((is) => `[2026-01-01 12:00:00] ${is ? 'server' : 'client'}: `),
      ['3 /params/name', '4 /result/content'],
    ],
    [
      'records with a direction',
      lines(
        ...MESSAGES.map((message, index) => ({
          time: index,
          direction: index % 2 ? 'server->client' : 'client->server',
          message,
        })),
      ),
      ['3 /message/params/name', '4 /message/result/content'],
    ],
    [
      'records with a sender and the text of a message',
      lines(
        ...MESSAGES.map((each, index) => ({
          from: index % 2 ? 'server' : 'client',
          payload: JSON.stringify(each),
        })),
      ),
      ['3 /payload/params/name', '4 /payload/result/content'],
    ],
    [
      'an array of records',
      JSON.stringify(MESSAGES.map((data, index) => ({ sender: index % 2 ? 's' : 'c', data }))),
      ['1 /2/data/params/name', '1 /3/data/result/content'],
    ],
  ])('%s', async (_, text, expected) => {
    const outcome = await validateText(text);
    expect(brief(outcome)).toEqual(expected.map((place) => place.replace(' ', ' bad-message ')));
    expect(outcome.counts).toMatchObject({ messages: 4, invalid: 2, unreadable: 0, unasked: 0 });
    expect(outcome.findings.map(({ from }) => from)).toEqual(['client', 'server']);
    expect(outcome.revisions).toEqual(['2025-11-25']);
  });

  it('one document', async () => {
    const outcome = await validateText(pretty(INITIALIZE));
    expect(brief(outcome)).toEqual([]);
    expect(outcome.counts).toMatchObject({ messages: 1, unanswered: 1 });
  });

  it('nothing', async () => {
    expect(brief(await validateText(''))).toEqual(['1 no-messages ']);
    expect(brief(await validateText(' \n\n'))).toEqual(['1 no-messages ']);
    expect(brief(await validateText('[]'))).toEqual(['1 no-messages ']);
  });
});

describe('batches', () => {
  const session = (version: string): unknown[] => [
    { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: version } },
    initialized(version),
  ];
  const batches = [
    [call(1), call('1', { name: 5 })],
    [answer(1, {}), answer('1')],
  ];

  it('are valid in 2025-03-26, and their answers are paired with requests of others', async () => {
    const outcome = await validateText(lines(...session('2025-03-26'), ...batches));
    expect(brief(outcome)).toEqual([
      '3 bad-message /1/params/name',
      '4 bad-message /0/result/content',
    ]);
    expect(outcome.counts).toMatchObject({ messages: 6, unasked: 0, unanswered: 0 });
  });

  it('are refused in other revisions, and their messages are checked', async () => {
    const outcome = await validateText(lines(...session('2025-06-18'), batches[0], []));
    expect(brief(outcome)).toEqual([
      '3 bad-batch ',
      '3 bad-message /1/params/name',
      '4 bad-batch ',
    ]);
  });

  it('are never empty', async () => {
    const outcome = await validateText(lines(...session('2025-03-26'), []));
    expect(brief(outcome)).toEqual(['3 bad-batch ']);
  });

  it('may be the first line of JSON Lines', async () => {
    const first = await validateText(lines([call(1)], call(2)), { revision: '2025-11-25' });
    expect(brief(first)).toEqual(['1 bad-batch ']);
    const whole = await validateText(lines([call(1), call(2)]), { revision: '2025-11-25' });
    expect(brief(whole)).toEqual([]);
  });

  it('may be in records and in an array of messages', async () => {
    const record = { direction: 'client', message: [call(1, { name: 5 })] };
    const outcome = await validateText(JSON.stringify([record, [call(2, { name: 5 })]]), {
      revision: '2025-03-26',
    });
    expect(brief(outcome)).toEqual([
      '1 bad-message /0/message/0/params/name',
      '1 bad-message /1/0/params/name',
    ]);
  });
});

describe('recordings of other tools', () => {
  const [INIT, READY, CALL, RESULT] = MESSAGES.map((each) => JSON.stringify(each));
  const FOUND = ['bad-message /params/name', 'bad-message /result/content'];
  /** The rules and the parts of messages, without the place in the file. */
  const rules = ({ findings }: Awaited<ReturnType<typeof validateText>>): string[] =>
    findings.map(
      ({ code, pointer }) => `${code} ${/\/(?:params|result).*$/.exec(pointer ?? '')?.[0] ?? ''}`,
    );

  const har = (wrap: (text: string) => object): string =>
    pretty({
      log: {
        version: '1.2',
        entries: [
          { request: { postData: { text: INIT } }, response: { content: { text: '' } } },
          { request: { postData: { text: 'a=b' } }, response: { content: { text: '<html>' } } },
          { request: { method: 'GET' }, response: { content: wrap(READY ?? '') } },
          { request: { postData: { text: CALL } }, response: { content: wrap(RESULT ?? '') } },
        ],
      },
    });

  it.each<[string, string]>([
    [
      'the log of an editor',
      tagged(
        (is) =>
          `2026-01-01 10:00:00.000 [trace] [${is ? 'server -> editor' : 'editor -> server'}] `,
      ),
    ],
    [
      'a log whose lines go on after the message',
      tagged((is) => `[${is ? 'server' : 'client'}] `).replaceAll('\n', ' (12 ms) {ok}\n'),
    ],
    [
      'a log with other objects before the message',
      tagged((is) => `{"level":30} ${is ? '<-' : '->'} `).replaceAll('{"level":30}', 'ctx={a:1}'),
    ],
    [
      'a log with other lines',
      MESSAGES.map(
        (each, index) =>
          `Connected {ok}\n[12:00:01] idle\n${index % 2 ? '<--' : '-->'} ${JSON.stringify(each)}\n...\n`,
      ).join(''),
    ],
    [
      'server-sent events beside the requests',
      `--> ${INIT}\nevent: message\nid: 1\ndata: ${READY}\n\n: keep-alive\nretry: 100\ndata:\n\n--> ${CALL}\nevent: message\ndata: ${RESULT}\n\n`,
    ],
    ['a HAR file with JSON', har((text) => ({ mimeType: 'application/json', text }))],
    [
      'a HAR file with event streams',
      har((text) => ({ text: `: hello\nevent: message\nid: 4\ndata: ${text}\n\n` })),
    ],
    [
      'a HAR file with bodies in base64',
      har((text) => ({ text: Buffer.from(text).toString('base64'), encoding: 'base64' })),
    ],
    [
      'records with a request and its response',
      lines({ request: INIT, response: READY }, { request: CALL, response: RESULT }),
    ],
    [
      'an array of such records, as values',
      JSON.stringify([
        { request: MESSAGES[0], response: MESSAGES[1] },
        { request: MESSAGES[2], response: MESSAGES[3] },
      ]),
    ],
  ])('%s is read', async (_, text) => {
    const outcome = await validateText(text);
    expect(rules(outcome)).toEqual(FOUND);
    expect(outcome.counts).toMatchObject({ messages: 4, unanswered: 0, unasked: 0 });
  });

  it('the history of the Inspector is read, which keeps no envelopes', async () => {
    const bare = (message: object): object => {
      const { jsonrpc, id, ...rest } = message as Record<string, unknown>;
      return rest;
    };
    const history = [
      {
        request: JSON.stringify(bare(MESSAGES[0] as object)),
        response: JSON.stringify((MESSAGES[1] as { result: object }).result),
      },
      {
        request: JSON.stringify(bare(MESSAGES[2] as object)),
        response: JSON.stringify((MESSAGES[3] as { result: object }).result),
      },
    ];
    for (const text of [JSON.stringify(history), lines(...history), pretty(history)]) {
      const outcome = await validateText(text);
      expect(rules(outcome)).toEqual(FOUND);
    }
  });

  it.each(['utf16le', 'utf16be'] as const)('%s is read, with a warning', async (encoding) => {
    for (const text of [lines(...MESSAGES), `\ufeff${lines(...MESSAGES)}`]) {
      const bytes = Buffer.from(text, 'utf16le');
      if (encoding === 'utf16be') bytes.swap16();
      for (const size of [1, 3, bytes.length]) {
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        const outcome = await validatePieces(pieces);
        expect(rules(outcome)).toEqual(['utf-16 ', ...FOUND]);
      }
    }
  });

  it('counts what is skipped, and finds no message in what is only text', async () => {
    const log = await validateText(`Starting\n${lines(...START)}warning: {x}\nbye\n`);
    expect(log.counts).toMatchObject({ messages: 2, skipped: 3, unreadable: 0 });
    expect(brief(log)).toEqual([]);
    const text = await validateText('Dear Ann,\nno message here.\n');
    expect(text.findings).toMatchObject([{ code: 'no-messages', severity: 'error' }]);
  });

  it('does not skip what was meant to be a message', async () => {
    const broken = (INIT ?? '').slice(0, -3);
    for (const line of [broken, `[info] sent ${broken}`, `--> ${broken}`, `data: ${broken}`]) {
      const outcome = await validateText(`${lines(...START)}${line}\n${lines(...START)}`);
      expect(brief(outcome)).toContain('3 not-json ');
    }
  });
});

describe('broken input', () => {
  it.each<[string, string, string[], number]>([
    [
      'a line of many does not stop the rest',
      `${lines(...START)}{"jsonrpc":"2.0",\n{"a":"\n]\nnoise\n"text"\n${lines(call(1))}`,
      ['3 not-json ', '4 not-json ', '5 not-json ', '7 bad-message '],
      4,
    ],
    [
      'a first line that is cut off',
      `${JSON.stringify(INITIALIZE).slice(0, 60)}\n${lines(...START, call(1))}`,
      ['1 not-json '],
      3,
    ],
    [
      'a first line that lacks its end',
      `{"jsonrpc":"2.0"\n${lines(...START, call(1))}`,
      ['1 not-json '],
      3,
    ],
    ['a first line that ends in a string', `{"jsonrpc":"2\n${lines(...START)}`, ['1 not-json '], 2],
    [
      'noise before the first message',
      `Listening on stdio\n[info] ready\n${lines(...START)}`,
      [],
      2,
    ],
    [
      'a document of many lines',
      [START[0], call(1), START[1]]
        .map(pretty)
        .join('\n')
        .replace('"method": "tools/call"', '"method":'),
      ['14 not-json '],
      2,
    ],
    [
      'an element of an array of many lines',
      pretty([...START, call(1), call(2)]).replace('"id": 1,', '"id": ,'),
      ['29 not-json /2'],
      3,
    ],
    [
      'an element that holds others below what is broken',
      pretty([
        ...START,
        answer(1, { content: [{ type: 'text' }, { type: 'text' }] }),
        call(2),
      ]).replace('"id": 1,', '"id": ,'),
      ['29 not-json /2'],
      3,
    ],
    ['an array without its end', pretty(START).slice(0, -2), ['1 not-json '], 2],
    [
      'an array that ends inside an element',
      pretty(START).slice(0, -10),
      ['15 not-json /1', '1 not-json '],
      1,
    ],
    [
      'an array without a comma',
      `[${START.map((each) => JSON.stringify(each)).join(' ')}]`,
      ['1 not-json '],
      2,
    ],
    [
      'commas too many',
      `[,${START.map((each) => JSON.stringify(each)).join(',,')},]`,
      ['1 not-json ', '1 not-json ', '1 not-json '],
      2,
    ],
    ['an array whose first line is cut off', `[{"id"\n${lines(...START)}`, ['1 not-json /0'], 2],
    ['bytes after an array', `${JSON.stringify(START)}]`, ['1 bad-batch ', '1 not-json '], 2],
    [
      'elements that are no objects',
      `[1,"a",null,true]`,
      [
        '1 bad-batch ',
        '1 bad-message /0',
        '1 bad-message /1',
        '1 bad-message /2',
        '1 bad-message /3',
      ],
      4,
    ],
    ['words that are no JSON', `[${JSON.stringify(INITIALIZE)},nul]`, ['1 not-json /1'], 1],
    [
      'NaN and duplicate commas in an object',
      '{"id":NaN}\n{"a":1,,}',
      ['1 not-json ', '2 not-json '],
      0,
    ],
  ])('%s', async (_, text, expected, messages) => {
    const outcome = await validateText(
      text,
      text.includes('initialize') ? {} : { revision: '2025-11-25' },
    );
    expect(brief(outcome)).toEqual(expected);
    expect(outcome.counts.messages).toBe(messages);
  });

  it('includes invalid UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.of(0xff, 0xfe),
      Buffer.from('"}\n'),
    ]);
    const outcome = await validatePieces([bytes, Buffer.from(lines(...START))]);
    expect(brief(outcome)).toEqual(['1 not-json ']);
    expect(outcome.counts.messages).toBe(2);
  });
});
