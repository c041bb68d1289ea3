import { docComment } from '../emit/comment.js';
import { key, quoted } from '../format/layout.js';
import { TOOL_LIMITS } from './limits.js';
import type { ObjectType, PropertyType, TupleType, Type } from './type.js';

/** A type as TypeScript source, unformatted. */
export function printType(type: Type): string {
  switch (type.kind) {
    case 'literal':
      return typeof type.value === 'string' ? literalText(type.value) : String(type.value);
    case 'array':
      return `(${printType(type.items)})[]`;
    case 'tuple':
      return printTuple(type);
    case 'object':
      return printObject(type);
    case 'union':
      return `(${type.members.map(printType).join(' | ')})`;
    case 'intersection':
      return `(${type.members.map(printType).join(' & ')})`;
    case 'ref':
      return type.name;
    default:
      return type.kind;
  }
}

function printTuple({ items, required, rest }: TupleType): string {
  const members = items.map((item, index) =>
    index < required ? printType(item) : `(${printType(item)})?`,
  );
  return `[${[...members, ...(rest ? [`...(${printType(rest)})[]`] : [])].join(', ')}]`;
}

function printObject({ properties, index }: ObjectType): string {
  const members = properties.map(printProperty);
  if (index) members.push(`[key: string]: ${printType(index)};`);
  return `{\n${members.join('\n')}\n}`;
}

function printProperty({ name, required, type, description, deprecated }: PropertyType): string {
  const comment = commentOn(description, deprecated);
  return `${comment}${visible(key(name))}${required ? '' : '?'}: ${printType(type)};`;
}

/** A doc comment of untrusted text, cut to the limit. */
export function commentOn(description: string | undefined, deprecated: boolean): string {
  const text = description ?? '';
  const most = TOOL_LIMITS.description;
  const short = text.length > most ? `${text.slice(0, most)}…` : text;
  return docComment([short.replace(INVISIBLE, ''), deprecated ? '@deprecated' : ''].join('\n'));
}

/** Characters that make code look different from its meaning. */
const INVISIBLE = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export function literalText(text: string): string {
  return visible(quoted(text));
}

function visible(code: string): string {
  return code.replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
