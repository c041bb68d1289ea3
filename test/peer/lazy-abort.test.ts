import { describe, expect, it } from 'vitest';
import { ConnectionClosed, connectionClosed, LazyAbort } from '../../runtime/peer/index.js';

describe('an abort', () => {
  it('is what its signal says, whether the signal was read before or after', () => {
    for (const isReadFirst of [true, false]) {
      const abort = new LazyAbort();
      if (isReadFirst) expect(abort.signal.aborted).toBe(false);
      expect([abort.aborted, abort.reason]).toEqual([false, undefined]);
      expect(() => abort.throwIfAborted()).not.toThrow();
      const reason = new Error('enough');
      abort.abort(reason);
      expect([abort.aborted, abort.reason]).toEqual([true, reason]);
      expect([abort.signal.aborted, abort.signal.reason]).toEqual([true, reason]);
      expect(abort.signal).toBe(abort.signal);
      expect(() => abort.throwIfAborted()).toThrow(reason);
    }
  });

  it('has the reason of a signal where it was given none', () => {
    const abort = new LazyAbort();
    abort.abort(undefined);
    expect(abort.reason).toMatchObject({ name: 'AbortError' });
    expect(() => abort.throwIfAborted()).toThrow(DOMException);
  });

  it('happens once: the first reason stays, and nothing is called again', () => {
    const abort = new LazyAbort();
    const calls: string[] = [];
    abort.onAbort(() => calls.push('callback'));
    abort.addEventListener('abort', () => calls.push('listener'));
    abort.signal.addEventListener('abort', () => calls.push('signal'));
    abort.abort('first');
    abort.abort('second');
    expect(abort.reason).toBe('first');
    expect(calls.sort()).toEqual(['callback', 'listener', 'signal']);
  });

  it('calls back before all listeners, which find it aborted', () => {
    const abort = new LazyAbort();
    const calls: unknown[] = [];
    const note = (who: string) => () => calls.push([who, abort.aborted, abort.reason]);
    abort.addEventListener('abort', note('listener'));
    abort.onAbort(note('callback'));
    abort.abort('why');
    expect(calls).toEqual([
      ['callback', true, 'why'],
      ['listener', true, 'why'],
    ]);
  });

  it('calls the callback at once when it has happened, and listeners never', () => {
    const abort = new LazyAbort();
    abort.abort('why');
    const calls: string[] = [];
    abort.onAbort(() => calls.push('callback'));
    abort.addEventListener('abort', () => calls.push('listener'));
    expect(calls).toEqual(['callback']);
  });

  it('does not call a listener that was removed, nor any twice', () => {
    const abort = new LazyAbort();
    const calls: string[] = [];
    const [stays, goes] = [() => calls.push('stays'), () => calls.push('goes')];
    abort.removeEventListener('abort', goes);
    for (const listener of [stays, goes, stays]) abort.addEventListener('abort', listener);
    abort.removeEventListener('abort', goes);
    abort.abort('why');
    abort.removeEventListener('abort', stays);
    expect(calls).toEqual(['stays']);
  });

  it('makes its reason when it is first read', () => {
    const abort = new LazyAbort();
    let made = 0;
    abort.abortFor(() => {
      made += 1;
      return connectionClosed();
    });
    expect([abort.aborted, made]).toEqual([true, 0]);
    expect(abort.reason).toBeInstanceOf(ConnectionClosed);
    expect(abort.reason).toBe(abort.signal.reason);
    expect(made).toBe(1);
  });
});
