import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';

import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import { defineTool } from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { startExt, getExt, reaches } from './steps.js';
import { modern, type ModernOptions, EVERY_ASK, type Rig, rig, until } from './support.js';

const undeclared: ModernOptions = { capabilities: EVERY_ASK };

describe('questions', () => {
  const name = { action: 'accept', content: { name: 'Ann' } };
  const line = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Good day' } };

  const update = (rigged: Rig, taskId: string, inputResponses: JsonObject) =>
    modern(rigged, 'tasks/update', { taskId, inputResponses });

  it('EXT-GET-1 are in the task while it is input_required, and only then', async () => {
    const rigged = await rig();
    const taskId = await startExt(rigged, 'asks');
    const asked = await reaches(rigged, taskId, 'input_required');
    expect(asked['inputRequests']).toMatchObject({ name: { method: 'elicitation/create' } });
    await update(rigged, taskId, { name });
    await until(
      () => getExt(rigged, taskId),
      (task) => 'line' in ((task['inputRequests'] ?? {}) as JsonObject),
    );
    await update(rigged, taskId, { line });
    const ended = await reaches(rigged, taskId, 'completed');
    expect(ended).toMatchObject({ result: { content: [{ text: 'Ann: Good day' }] } });
    expect(ended).not.toHaveProperty('inputRequests');
  });

  it('EXT-UPD-1 are answered with tasks/update, which has an empty result', async () => {
    const rigged = await rig();
    const taskId = await startExt(rigged, 'asks');
    await reaches(rigged, taskId, 'input_required');
    const { result } = await update(rigged, taskId, { name });
    const { _meta, ...answer } = result ?? {};
    expect(answer).toEqual({ resultType: 'complete' });
  });

  it('EXT-UPD-3 never get the key of an earlier one', async () => {
    const rigged = await rig();
    const taskId = await startExt(rigged, 'asks');
    const first = await reaches(rigged, taskId, 'input_required');
    expect(Object.keys(first['inputRequests'] as JsonObject)).toEqual(['name']);
    await update(rigged, taskId, { name });
    const next = await until(
      () => getExt(rigged, taskId),
      (task) => 'line' in ((task['inputRequests'] ?? {}) as JsonObject),
    );
    expect(Object.keys(next['inputRequests'] as JsonObject)).toEqual(['line']);
  });

  it('EXT-UPD-2 answers to no open question are ignored, whatever they are', async () => {
    const rigged = await rig();
    const taskId = await startExt(rigged, 'asks');
    await reaches(rigged, taskId, 'input_required');
    expect((await update(rigged, taskId, { other: { nonsense: true } })).error).toBeUndefined();
    expect(await getExt(rigged, taskId)).toMatchObject({ status: 'input_required' });
    await update(rigged, taskId, { name });
    expect((await update(rigged, taskId, { name: { action: 'decline' } })).error).toBeUndefined();
  });

  it('an answer that is not what was asked for is refused, and the field is named', async () => {
    const rigged = await rig();
    const taskId = await startExt(rigged, 'asks');
    await reaches(rigged, taskId, 'input_required');
    const { error } = await update(rigged, taskId, { name: { action: 'perhaps' } });
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('/action') as string,
    });
    expect(await getExt(rigged, taskId)).toMatchObject({ status: 'input_required' });
  });

  it('a task asks only what its client declared', async () => {
    const rigged = await rig();
    const { result } = await modern(
      rigged,
      'tools/call',
      { name: 'asks' },
      { capabilities: { sampling: {}, extensions: { [EXTENSION_ID]: {} } } },
    );
    const task = await reaches(rigged, String(result?.['taskId']), 'failed');
    expect(task).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } },
    });
  });

  it('a plain call asks in rounds, and its state is signed and for that call alone', async () => {
    const rigged = await rig();
    const call = (more: JsonObject = {}) =>
      modern(rigged, 'tools/call', { name: 'asks', ...more }, undeclared);
    const { result: first } = await call();
    const requestState = first?.['requestState'];
    const { result: second } = await call({ requestState, inputResponses: { name } });
    expect(second).toMatchObject({ resultType: 'input_required', inputRequests: { line: {} } });
    const { result: third } = await call({
      requestState: second?.['requestState'],
      inputResponses: { line },
    });
    expect(third).toMatchObject({ content: [{ text: 'Ann: Good day' }] });

    const state = String(requestState);
    const [payload = '', signature = ''] = state.split('.');
    const changed = [
      ...[`${state}x`, `${state}.${state}`, `${state}.`, `.${state}`, `${state}=`, ` ${state}`],
      ...[`${payload}==.${signature}`, `${payload}\n.${signature}`, `${payload}.${signature}.x`],
      ...[payload, signature, `${signature}.${payload}`],
    ];
    for (const forged of changed) {
      const { error } = await call({ requestState: forged, inputResponses: { name } });
      expect([forged, error?.code]).toEqual([forged, -32602]);
    }
    const moved = await modern(
      rigged,
      'tools/call',
      { name: 'asks', arguments: { other: 1 }, requestState: second?.['requestState'] },
      undeclared,
    );
    expect(moved.error?.code).toBe(-32602);
    const stolen = await modern(
      rigged,
      'tools/call',
      { name: 'asks', requestState: second?.['requestState'] },
      { ...undeclared, token: 'bob|app|mcp|http://localhost/mcp|https://issuer.example' },
    );
    expect(stolen.error?.code).toBe(-32602);
  });

  it('refuses a requestState of more than 256 KiB before it decodes it, and sends none', async () => {
    const rigged = await rig();
    const call = (more: JsonObject) =>
      modern(rigged, 'tools/call', { name: 'asks', ...more }, undeclared);
    const { result } = await call({});
    const requestState = result?.['requestState'];
    const said = (length: number) => {
      const content = { name: 'a'.repeat(length) };
      return call({ requestState, inputResponses: { name: { action: 'accept', content } } });
    };
    expect((await said(190_000)).result).toMatchObject({ resultType: 'input_required' });
    expect((await said(200_000)).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('a requestState of more than 262144 characters') as string,
    });
    const decode = vi.spyOn(globalThis, 'atob');
    onTestFinished(() => decode.mockRestore());
    const { error } = await call({ requestState: `${'A'.repeat(2 ** 20)}.A` });
    expect([error?.code, decode.mock.calls]).toEqual([-32602, []]);
    await call({ requestState: 'AAAA.A' });
    expect(decode).toHaveBeenCalledOnce();
  });

  it('a tool that must not run twice asks as a task or not at all', async () => {
    const rigged = await rig();
    const plain = await modern(rigged, 'tools/call', { name: 'asks-once' }, undeclared);
    expect(plain.error?.code).toBe(-32021);
    const taskId = await startExt(rigged, 'asks-once');
    await reaches(rigged, taskId, 'input_required');
    await update(rigged, taskId, { 'input-1': name });
    expect(await reaches(rigged, taskId, 'completed')).toMatchObject({
      result: { content: [{ text: 'accept Ann' }] },
    });
  });

  it.each([
    ['starts only a tool that does not say that it asks', undefined, 1],
    ['starts no tool that says that it asks', ['elicitation.form'] as const, 0],
  ])('a plain call whose run could not be repeated %s', async (_, asks, expected) => {
    let started = 0;
    const tool = defineTool({
      name: 'order',
      description: 'Asks in the middle of its work.',
      input: z.object({}),
      ...(asks && { asks }),
      async run({ task }) {
        started += 1;
        const { action } = await task.elicit({
          message: 'Sure?',
          requestedSchema: { type: 'object', properties: {} },
        });
        return action;
      },
    });
    const rigged = await rig({ tools: [tool] });
    const { error } = await modern(rigged, 'tools/call', { name: 'order' }, undeclared);
    expect(error?.code).toBe(-32603);
    expect(error?.message).toMatch(/retryable: true.*taskSupport: 'optional'/);
    expect(started).toBe(expected);
  });
});
