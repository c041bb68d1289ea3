import { WithCode } from '../../toolkit/text.js';
import { many } from '../../toolkit/words.js';
import { nameOf } from '../said.js';
import type { Message } from './data.js';
import { sayOffset } from './words.js';

/** The most messages that are printed. */
const MOST = 1000;

const ARROWS = { client: '→', server: '←' } as const;

/** The messages as lines, because paper does not scroll. */
export function Printed({ shown }: { readonly shown: readonly Message[] }) {
  return (
    <>
      <ul>
        {shown.slice(0, MOST).map((message) => {
          const { index, ms, from, method, label, findings } = message;
          return (
            <li key={index}>
              {nameOf(message)} {ms !== undefined && `${sayOffset(ms)} `}
              {from ? ARROWS[from] : '–'} <b>{method}</b> {label}
              {findings.map(({ severity, code, text }, at) => (
                <p key={at} class={severity === 'error' ? 'alarm' : undefined}>
                  {severity}: {code}: <WithCode text={text} />
                </p>
              ))}
            </li>
          );
        })}
      </ul>
      {shown.length > MOST && <p>{many(shown.length - MOST, 'message')} more are not printed.</p>}
    </>
  );
}
