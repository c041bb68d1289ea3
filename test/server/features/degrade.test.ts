import { describe, expect, it } from 'vitest';

import { REVISIONS } from '../../../runtime/protocol.js';
import { degradedMessages, degradedResult } from '../../../runtime/server/features/degrade.js';
import { ON_DEMAND } from '../../../runtime/peer/wire/on-demand.js';
import { loadRevisions } from '../../../runtime/peer/wire/revision.js';
import { VERSIONS } from './wire.js';

const text = { type: 'text', text: 'Hello' };
const audio = { type: 'audio', data: 'AAAAAAA=', mimeType: 'audio/wav' };
const link = { type: 'resource_link', uri: 'x:y', name: 'y', annotations: { priority: 1 } };
const result = { content: [text, audio, link], isError: true, _meta: { key: 1 } };

const AUDIO = { type: 'text', text: '[Audio: audio/wav, 5 bytes]' };
const LINK = { type: 'text', text: '[Resource: y, x:y]', annotations: { priority: 1 } };

describe.each(VERSIONS)('in %s', (version) => {
  const revision = loadRevisions([version], false, ON_DEMAND).then(({ load }) => load(version));
  const expected = {
    content: [text, version < '2025-03-26' ? AUDIO : audio, version < '2025-06-18' ? LINK : link],
    isError: true,
    _meta: { key: 1 },
  };

  it('a block of a type that the revision does not have is text, and the others stay', async () => {
    const degraded = degradedResult(await revision, result);
    expect(degraded).toEqual(expected);
    const sent = REVISIONS[version].dialect === 'ext' ? { ...degraded, resultType: 'x' } : degraded;
    expect((await revision).checkToolResult(sent)).toBeUndefined();
    const messages = result.content.map((content) => ({ role: 'user', content }));
    expect(degradedMessages(await revision, { messages })).toEqual({
      messages: expected.content.map((content) => ({ role: 'user', content })),
    });
  });

  it('an invalid block stays as it is, and is then refused', async () => {
    const invalid = { content: [{ type: 'audio', data: 7 }, { type: 'resource_link' }, null, 7] };
    expect(degradedResult(await revision, invalid)).toEqual(invalid);
    expect(degradedMessages(await revision, { messages: [null, { content: 7 }] })).toEqual({
      messages: [null, { content: 7 }],
    });
  });

  it('results without such blocks are the same object', async () => {
    const plain = { content: [text] };
    expect(degradedResult(await revision, plain)).toBe(plain);
    expect(degradedResult(await revision, { resultType: 'x' })).toEqual({ resultType: 'x' });
  });
});
