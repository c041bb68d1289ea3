import { compareSchemas } from './compat/index.js';
import type { Direction } from './compat/index.js';
import type { JsonValue } from '../../json-schema/index.js';
import { compareAnnotations } from './annotations.js';
import type { At, Change } from './change.js';
import { isEqual } from './texts.js';

/** The changes of a schema: those of what it accepts, and those of its texts. */
export function schemaChanges(
  direction: Direction,
  before: JsonValue,
  after: JsonValue,
  at: At,
): Change[] {
  if (isEqual(before, after)) return [];
  const changes = compareSchemas(before, after, direction).map((change): Change => {
    const { path, pointer, message, verdict } = change;
    const rest = { part: at.part, ...(at.name !== undefined && { name: at.name }) };
    return {
      verdict,
      rule: direction,
      ...rest,
      pointer: at.pointer + pointer,
      ...(path !== '' && { path }),
      direction,
      message,
      ...(change.verdict === 'breaking' && { witness: change.witness }),
      ...(change.verdict === 'compatible' && { tried: change.tried }),
      ...(change.verdict === 'unclear' && { reason: change.reason }),
    };
  });
  const texts = compareAnnotations(before, after, at, direction);
  if (changes.length + texts.length > 0) return [...changes, ...texts];
  const message = 'the schema is written in another way, and accepts the same values';
  return [{ verdict: 'compatible', rule: 'notation', ...at, direction, message }];
}
