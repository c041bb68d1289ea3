import * as z from 'zod';
import type * as types from './types.js';

/** The named properties of an object type, as Zod keeps them. */
type Shape<T> = {
  [K in keyof T as Known<K>]-?: object extends Pick<T, K>
    ? z.ZodExactOptional<Field<Required<T>[K]>>
    : Field<T[K]>;
};

/** Leaves out index signatures. */
type Known<K> = string extends K ? never : number extends K ? never : K;

/** Plain strings, numbers and booleans keep the methods of their schema. */
type Field<T> = unknown extends T
  ? z.ZodUnknown
  : [string, T] extends [T, string]
    ? z.ZodString
    : [number, T] extends [T, number]
      ? z.ZodNumber
      : [boolean, T] extends [T, boolean]
        ? z.ZodBoolean
        : z.ZodType<T>;

/** An object schema that lets unknown keys through: `extend`, `pick`, `shape` and the rest work. */
type LooseObject<T> = z.ZodObject<Shape<T>, z.core.$loose>;

/** An object schema that refuses unknown keys. */
type StrictObject<T> = z.ZodObject<Shape<T>, z.core.$strict>;

/** An object that keeps every key it is given. */
function loose<S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S, z.core.$loose> {
  return keepProto(z.looseObject(shape));
}

/** An object whose keys, other than those of the shape, all hold what `value` accepts. */
function record<V extends z.core.SomeType, S extends z.core.$ZodLooseShape>(
  value: V,
  shape: S,
): z.ZodObject<S, z.core.$catchall<V>> {
  return keepProto(z.object(shape).catchall(value), value);
}

/**
 * JSON may hold a key named `__proto__`. Zod leaves it out unseen; here it is a key like any
 * other: checked where the schema says how, and kept as an own property, which sets no prototype.
 */
function keepProto<T extends z.ZodType>(schema: T, value?: z.core.SomeType): T {
  const parse = schema._zod.parse;
  schema._zod.parse = schema._zod.run = (payload, context) => {
    const input = payload.value;
    const parsed = parse(payload, context) as z.core.ParsePayload;
    if (!isRecord(input) || !Object.hasOwn(input, '__proto__')) return parsed;
    const own = { value: input['__proto__'], issues: [] };
    const checked = (value?._zod.run(own, context) ?? own) as z.core.ParsePayload;
    parsed.issues.push(...z.core.util.prefixIssues('__proto__', checked.issues));
    return Object.assign(parsed, { value: withProto(parsed.value, checked.value) });
  };
  return schema;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function withProto(target: unknown, value: unknown): unknown {
  if (!isRecord(target)) return target;
  return Object.defineProperty(target, '__proto__', {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

/** A number without a fraction, however large. */
function integer(): z.ZodNumber {
  return z.number().refine((value) => Number.isInteger(value), 'Invalid input: expected integer');
}

/** A length as JSON Schema counts it: in code points, not in UTF-16 units. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether a line of the text, however it ends, is padded base64; an empty line is. */
function matchesByte(value: string): boolean {
  if (isBase64(value)) return true;
  let start = 0;
  for (const { index } of value.matchAll(/[\n\r\u2028\u2029]/g)) {
    if (isBase64(value.slice(start, index))) return true;
    start = index + 1;
  }
  return start > 0 && isBase64(value.slice(start));
}

function isBase64(text: string): boolean {
  const length = text.length;
  if (length % 4 !== 0) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const decode = (globalThis as { readonly atob?: (text: string) => string }).atob;
  if (length < 128 || !decode) {
    return !/[^A-Za-z0-9+/]/.test(padding ? text.slice(0, -padding) : text);
  }
  try {
    // White space or padding within the text would make the decoded text shorter.
    for (let start = 0; start < length; start += 32768) {
      const slice = text.slice(start, start + 32768);
      const missing = start + 32768 < length ? 0 : padding;
      if (decode(slice).length !== (slice.length / 4) * 3 - missing) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** Whether the text is a URI with a scheme, by the grammar of RFC 3986. */
function matchesUri(value: string): boolean {
  const colon = value.indexOf(':');
  if (!/^[a-z]/i.test(value) || /[^a-z0-9+.-]/i.test(value.slice(0, Math.max(colon, 0)))) {
    return false;
  }
  const rest = value.slice(colon + 1);
  if (colon < 0 || /^(?:$|[?#])/.test(rest)) return false;
  const open = rest.indexOf('[');
  if (open < 0) return matchesUriText(rest);
  const close = rest.indexOf(']', open);
  const slashes = rest.startsWith('//') ? 2 : 1;
  const user = rest.slice(slashes, open);
  return (
    close > open &&
    rest.startsWith('/') &&
    (user === '' || (user.indexOf('@') === user.length - 1 && matchesUriText(user))) &&
    !/[/?#]/.test(user) &&
    matchesIpLiteral(rest.slice(open + 1, close)) &&
    matchesAfterAddress(rest, close + 1)
  );
}

/** Path, query and fragment: their characters, every % with two digits, one # at most. */
function matchesUriText(text: string): boolean {
  return (
    !/[^\w.~!$&'()*+,;=:@/?#%-]|%(?![\da-f]{2})/i.test(text) &&
    text.indexOf('#') === text.lastIndexOf('#')
  );
}

function matchesAfterAddress(text: string, start: number): boolean {
  let at = start;
  if (text[at] === ':') while (/\d/.test(text.charAt(++at)));
  return at === text.length || (/[/?#]/.test(text.charAt(at)) && matchesUriText(text.slice(at)));
}

function matchesIpLiteral(text: string): boolean {
  if (!/^v/i.test(text)) return matchesIpv6(text);
  const dot = text.indexOf('.');
  return (
    dot > 1 &&
    dot < text.length - 1 &&
    !/[^\da-f]/i.test(text.slice(1, dot)) &&
    !/[^\w.~!$&'()*+,;=:-]/.test(text.slice(dot + 1))
  );
}

function matchesIpv6(text: string): boolean {
  const [left = '', right, ...more] = text.length > 45 ? ['x'] : text.split('::');
  if (right === undefined) return ipv6Groups(left, true) === 8;
  return more.length === 0 && ipv6Groups(left, false) + ipv6Groups(right, true) <= 7;
}

/** How many 16-bit groups the text spells; more than an address can have when it is not one. */
function ipv6Groups(text: string, last: boolean): number {
  if (text === '') return 0;
  const groups = text.split(':');
  const ipv4 = last && groups.at(-1)?.includes('.') ? groups.pop() : undefined;
  const good =
    groups.every((group) => /^[\da-f]{1,4}$/i.test(group)) &&
    (ipv4 === undefined || /^(?:(?:25[0-5]|2[0-4]\d|[01]?\d?\d)(?:\.(?!$)|$)){4}$/.test(ipv4));
  return good ? groups.length + (ipv4 === undefined ? 0 : 2) : 9;
}

/** Whether the text is a URI template, by the grammar of RFC 6570. */
function matchesUriTemplate(value: string): boolean {
  let start = 0;
  for (let open; (open = value.indexOf('{', start)) >= 0;) {
    const close = value.indexOf('}', open);
    if (close < 0 || !isTemplateText(value.slice(start, open))) return false;
    const variables = value.slice(open + 1, close).replace(/^[+#./;?&=,!@|]/, '');
    if (!variables.split(',').every(isTemplateVariable)) return false;
    start = close + 1;
  }
  return isTemplateText(value.slice(start));
}

function isTemplateText(text: string): boolean {
  return !/[\x00-\x20"'<>\\^\x60{|}]|%(?![\da-f]{2})/i.test(text);
}

function isTemplateVariable(text: string): boolean {
  const name = text.replace(/(?::[1-9]\d{0,3}|\*)$/, '');
  return name !== '' && !/[^\w%]|%(?![\da-f]{2})/i.test(name);
}

export const CatSchema: LooseObject<types.Cat> = /*@__PURE__*/ loose({
  type: z.literal('cat'),
});

export const DogSchema: LooseObject<types.Dog> = /*@__PURE__*/ loose({
  type: z.literal('dog'),
});

export const PetSchema: z.ZodType<types.Pet> = /*@__PURE__*/ z.discriminatedUnion('type', [
  CatSchema,
  DogSchema,
]);

export const AliasSchema: z.ZodType<types.Alias> = /*@__PURE__*/ PetSchema;

/**
 * Whatever.
 */
export const AnythingSchema: z.ZodType<types.Anything> = /*@__PURE__*/ z.unknown();

export const BareSchema: LooseObject<types.Bare> = /*@__PURE__*/ loose({});

/**
 * A tree.
 *
 * It ends with *\/ and `${more}`.
 */
export const TreeSchema: LooseObject<types.Tree> = /*@__PURE__*/ loose({
  label: z.string(),
  'data-x': z.exactOptional(z.string()),
  children: z.exactOptional(z.array(z.lazy(() => TreeSchema))),
});

export const BothSchema: LooseObject<types.Both> = /*@__PURE__*/ loose({
  label: z.string(),
  'data-x': z.exactOptional(z.string()),
  children: z.exactOptional(z.array(TreeSchema)),
  type: z.literal('cat'),
});

export const BusyErrorSchema: LooseObject<types.BusyError> = /*@__PURE__*/ loose({
  code: z.literal(-32099),
});

export const BytesSchema: z.ZodType<types.Bytes> =
  /*@__PURE__*/ z.string().refine(matchesByte, 'Invalid input: expected format byte');

export const CallRequestSchema: LooseObject<types.CallRequest> = /*@__PURE__*/ loose({
  jsonrpc: z.exactOptional(z.literal('2.0')),
  method: z.literal('things/call'),
  params: TreeSchema,
});

export const CallResultSchema: LooseObject<types.CallResult> = /*@__PURE__*/ loose({
  'io.modelcontextprotocol/x': z.exactOptional(z.unknown()),
});

export const ChangedNotificationSchema: LooseObject<types.ChangedNotification> =
  /*@__PURE__*/ loose({
    method: z.literal('notifications/things/list_changed'),
  });

export const ClientRequestSchema: LooseObject<types.ClientRequest> =
  /*@__PURE__*/ CallRequestSchema;

export const ClosedSchema: StrictObject<types.Closed> = /*@__PURE__*/ z.strictObject({
  a: z.exactOptional(z.string()),
});

export const CountSchema: z.ZodType<types.Count> = /*@__PURE__*/ integer().gte(0).lte(10);

export const CountsSchema: z.ZodType<types.Counts> = /*@__PURE__*/ record(CountSchema, {});

export const EmptySchema: z.ZodType<types.Empty> = /*@__PURE__*/ z.null();

export const FlagSchema: z.ZodType<types.Flag> = /*@__PURE__*/ z.boolean();

export const IdSchema: z.ZodType<types.Id> = /*@__PURE__*/ z.union([z.string(), integer()]);

export const LevelSchema: z.ZodType<types.Level> = /*@__PURE__*/ z.enum(['high', 'low']);

export const LinkSchema: z.ZodType<types.Link> =
  /*@__PURE__*/ z.string().refine(matchesUri, 'Invalid input: expected format uri');

export const MixedSchema: z.ZodType<types.Mixed> = /*@__PURE__*/ z.literal(['a', 1, true, null]);

export const NameSchema: z.ZodType<types.Name> =
  /*@__PURE__*/ z.string().regex(/*@__PURE__*/ new RegExp('^[a-z]+$', 'u')).refine((text) => codePoints(text) >= 1, 'Invalid input: expected >= 1 characters').refine((text) => codePoints(text) <= 8, 'Invalid input: expected <= 8 characters');

export const NameOrCatSchema: z.ZodType<types.NameOrCat> = /*@__PURE__*/ z.union([
  NameSchema,
  CatSchema,
]);

export const NamedPetSchema: z.ZodType<types.NamedPet> = /*@__PURE__*/ z.discriminatedUnion(
  'type',
  [
    loose({
      type: z.literal('cat'),
      label: z.string(),
      'data-x': z.exactOptional(z.string()),
      children: z.exactOptional(z.array(TreeSchema)),
    }),
    loose({
      type: z.literal('dog'),
      label: z.string(),
      'data-x': z.exactOptional(z.string()),
      children: z.exactOptional(z.array(TreeSchema)),
    }),
  ],
);

export const NamesSchema: z.ZodType<types.Names> = /*@__PURE__*/ z.array(NameSchema).min(1).max(3);

export const NothingSchema: z.ZodType<types.Nothing> = /*@__PURE__*/ z.never();

export const ObjectSchema: LooseObject<types.Object> = /*@__PURE__*/ loose({});

export const OpenSchema: LooseObject<types.Open> = /*@__PURE__*/ loose({
  a: z.exactOptional(z.string()),
});

export const PresentSchema: LooseObject<types.Present> = /*@__PURE__*/ loose({
  anything: z.unknown(),
});

export const RatioSchema: z.ZodType<types.Ratio> = /*@__PURE__*/ z.number();

export const ServerCapabilitiesSchema: LooseObject<types.ServerCapabilities> = /*@__PURE__*/ loose({
  things: z.exactOptional(
    loose({
      listChanged: z.exactOptional(z.boolean()),
    }),
  ),
});

export const ServerNotificationSchema: LooseObject<types.ServerNotification> =
  /*@__PURE__*/ ChangedNotificationSchema;

export const TemplateSchema: z.ZodType<types.Template> =
  /*@__PURE__*/ z.string().refine(matchesUriTemplate, 'Invalid input: expected format uri-template');
