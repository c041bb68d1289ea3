import type * as types from './types.js';

export interface ValidationOptions {
  /** Assert `format`: base64, URIs, URI templates. Off, as in JSON Schema, unless asked for. */
  readonly formats?: boolean | undefined;
  /** How many errors to report; 100 unless said otherwise, at least 1. */
  readonly maxErrors?: number | undefined;
}

/** One thing that is wrong with a value. Long texts in it are cut. */
export interface ValidationError {
  /** JSON pointer to the value, or to where a missing one belongs. */
  readonly pointer: string;
  readonly expected: string;
  readonly received: string;
  /** A sentence for people. */
  readonly message: string;
}

export type Validation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly ValidationError[] };

/** Who sent a message. */
export type Party = 'client' | 'server';

type Rule = readonly [check: Check, shape: Shape];

interface Method {
  readonly method: string;
  /** Nobody: what only stands in other messages, or what an extension adds a result to. */
  readonly from?: Party | 'both' | undefined;
  readonly request?: Rule | undefined;
  readonly notification?: Rule | undefined;
  readonly result?: Rule | undefined;
}

/**
 * Methods by the length of their names: quicker than hashing a text that was just parsed. All of
 * one shape, so that reading them is quick as well.
 */
function byLength(methods: readonly Method[]): Method[][] {
  const table: Method[][] = [];
  for (const { method, from, request, notification, result } of methods) {
    (table[method.length] ??= []).push({ method, from, request, notification, result });
  }
  return table;
}

/** The requests and notifications of each party and the result of each method, as types. */
export interface MessageTypes {
  readonly client: { readonly request: unknown; readonly notification: unknown };
  readonly server: { readonly request: unknown; readonly notification: unknown };
  readonly results: object;
}

/** What a revision or an extension sends: pass an extension's to the revision's functions. */
export interface Wire<M extends MessageTypes = MessageTypes> {
  readonly methods: readonly (readonly Method[] | undefined)[];
  /** Only a type. */
  readonly messages?: M;
}

/** What checks share during one validation. */
interface Context {
  readonly formats: boolean;
  /** How many levels deeper definitions that hold themselves may go. */
  depth: number;
  /** How many values of such definitions are looked at before giving up. */
  fuel: number;
}

type Check = (v: unknown, c: Context) => boolean;

type Properties = { readonly [key: string]: unknown };

function contextOf(options: ValidationOptions | undefined): Context {
  return { formats: options?.formats === true, depth: 500, fuel: 50_000_000 };
}

/** What throws when it is read, or nests so that the stack ends, is not valid. */
function accepts(check: Check, value: unknown, options: ValidationOptions | undefined): boolean {
  try {
    return check(value, contextOf(options));
  } catch {
    return false;
  }
}

function record(v: unknown): v is Properties {
  return typeof v === 'object' && v !== null && !Array.isArray(v);
}

function list(v: unknown): v is readonly unknown[] {
  return Array.isArray(v);
}

function finite(v: unknown): v is number {
  return Number.isFinite(v);
}

function whole(v: unknown): v is number {
  return Number.isInteger(v);
}

/** Unicode code points, as JSON Schema counts. */
function characters(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const high = text.charCodeAt(i) >>> 10 === 0x36;
    if (high && text.charCodeAt(i + 1) >>> 10 === 0x37) count--;
  }
  return count;
}

/** Follows a definition that may hold itself, not too far. */
function nest(check: Check, v: unknown, c: Context): boolean {
  if (c.depth <= 0 || c.fuel <= 0) return false;
  c.depth--;
  c.fuel--;
  const valid = check(v, c);
  c.depth++;
  return valid;
}

/** Says what is wrong with a value, to the report. */
type Shape = (r: Report, v: unknown) => void;

type Shapes = { readonly [key: string]: Shape };

/** Keys, from the outermost in. */
type Path = readonly (string | number)[];

interface Report {
  readonly context: Context;
  readonly errors: ValidationError[];
  /** How many more faults are looked for, also of those that are found twice. */
  left: number;
  /** Keys from the value to where the report is; before `start`, to the value itself. */
  readonly path: (string | number)[];
  readonly start: number;
  /** Whether a fault is anywhere but in the value's `params`. */
  outside: boolean;
  /** Whether a union member is being tried: then only this matters of it, not the errors. */
  readonly trying: boolean;
  /** What was expected first. */
  expected: string;
  /** Where the innermost union's value starts; -1 outside of unions. */
  readonly root: number;
  /** How far the value is from valid. */
  weight: number;
}

function validation<T>(
  check: Check,
  shape: Shape,
  value: unknown,
  options: ValidationOptions | undefined,
): Validation<T> {
  return accepts(check, value, options)
    ? { ok: true, value: value as T }
    : { ok: false, errors: errorsOf(shape, value, options) };
}

function errorsOf(
  shape: Shape,
  value: unknown,
  options: ValidationOptions | undefined,
): ValidationError[] {
  return reportOn(shape, value, options, []).errors;
}

/** Of at least one error, also for a value that changes while it is read. */
function reportOn(
  shape: Shape,
  value: unknown,
  options: ValidationOptions | undefined,
  path: Path,
): Report {
  const r: Report = {
    context: contextOf(options),
    errors: [],
    left: Math.max(1, options?.maxErrors ?? 100),
    path: [...path],
    start: path.length,
    outside: false,
    trying: false,
    expected: '',
    root: -1,
    weight: 0,
  };
  try {
    shape(r, value);
  } catch {
    fail(r, 'readable', value);
    r.path.length = path.length;
  }
  if (r.errors.length === 0) fail(r, 'the same whenever it is read', value);
  return r;
}

/** The own properties of a union's member tell it apart: a fault deeper down weighs less. */
function fail(r: Report, expected: string, v: unknown, weight = v === undefined ? 10 : 1): void {
  const depth = r.path.length - r.root;
  r.weight += depth === 0 ? Infinity : depth === 1 ? weight : 1;
  r.expected ||= expected;
  if (r.left <= 0) return;
  r.left--;
  if (r.trying) return;
  if (r.path[r.start] !== 'params') r.outside = true;
  const pointer = pointerTo(r.path);
  for (const known of r.errors) {
    if (known.pointer === pointer && known.expected === expected) return;
  }
  const received = describe(v);
  const where = pointer || 'The value';
  const message =
    v === undefined
      ? `${where} is missing: it must be ${expected}.`
      : `${where} must be ${expected}, but is ${received}.`;
  r.errors.push({ pointer, expected, received, message });
}

function pointerTo(path: Path): string {
  let pointer = '';
  for (const key of path) pointer += '/' + (typeof key === 'string' ? escaped(key) : key);
  return cut(pointer, 2000);
}

function escaped(key: string): string {
  const name = cut(key, 200);
  const plain = !name.includes('~') && !name.includes('/');
  return plain ? name : name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function cut(text: string, length: number): string {
  return text.length > length ? text.slice(0, length) + '…' : text;
}

function describe(v: unknown): string {
  if (v === undefined) return 'nothing';
  if (v === null || typeof v === 'boolean') return String(v);
  if (typeof v === 'string') return 'the string ' + JSON.stringify(cut(v, 60));
  if (typeof v === 'number') return `the number ${v}`;
  if (typeof v !== 'object') return `a ${typeof v}`;
  try {
    return list(v) ? `an array of ${v.length}` : 'an object';
  } catch {
    return 'an object';
  }
}

function at(r: Report, key: string | number, v: unknown, shape: Shape): void {
  if (r.left <= 0) return;
  r.path.push(key);
  shape(r, v);
  r.path.pop();
}

const anything: Shape = (r, v) => {
  if (v === undefined) fail(r, 'present', v);
};

function leaf(expected: string, check: Check): Shape {
  return (r, v) => {
    if (!check(v, r.context)) fail(r, expected, v);
  };
}

/** One of these; usually what tells the members of a union apart, so a miss weighs more. */
function one(...values: readonly unknown[]): Shape {
  const words = values.map((value) => JSON.stringify(value)).join(', ');
  const expected = values.length > 1 ? `one of ${words}` : words;
  return (r, v) => {
    if (!values.includes(v)) fail(r, expected, v, 100);
  };
}

function object(required: Shapes, optional: Shapes = {}, rest?: Shape): Shape {
  const members = [
    ...Object.entries(required).map(([key, shape]) => ({ key, shape, needed: true })),
    ...Object.entries(optional).map(([key, shape]) => ({ key, shape, needed: false })),
  ];
  return (r, v) => {
    if (!record(v)) return fail(r, 'an object', v);
    for (const { key, shape, needed } of members) {
      const value = member(v, key);
      if (needed || value !== undefined) at(r, key, value, shape);
    }
    if (!rest) return;
    for (const key in v) {
      if (Object.hasOwn(required, key) || Object.hasOwn(optional, key)) continue;
      if (r.left <= 0) return;
      at(r, key, v[key], rest);
    }
  };
}

/** What every object inherits is functions and `__proto__`: of those only an own one counts. */
function member(v: Properties, key: string): unknown {
  const value = v[key];
  const suspect = typeof value === 'function' || key === '__proto__';
  return suspect && !Object.hasOwn(v, key) ? undefined : value;
}

function each(item: Shape, least = 0, most = Infinity): Shape {
  return (r, v) => {
    if (!list(v)) return fail(r, 'an array', v);
    if (v.length < least) fail(r, `at least ${least} long`, v);
    if (v.length > most) fail(r, `at most ${most} long`, v);
    for (let i = 0; i < v.length && r.left > 0; i++) at(r, i, v[i], item);
  };
}

/** A definition: made when first needed, looked into only where its check refuses the value. */
function shape(check: Check, make: () => Shape): Shape {
  let made: Shape | undefined;
  return (r, v) => {
    if (!check(v, r.context)) (made ??= make())(r, v);
  };
}

/** A definition that may hold itself: checking at every level would take quadratic time. */
function deep(make: () => Shape): Shape {
  let made: Shape | undefined;
  return (r, v) => {
    const c = r.context;
    if (c.depth <= 0 || c.fuel <= 0) return fail(r, 'nested less deeply', v);
    c.depth--;
    c.fuel--;
    (made ??= make())(r, v);
    c.depth++;
  };
}

function both(...shapes: readonly Shape[]): Shape {
  return (r, v) => {
    for (const shape of shapes) shape(r, v);
  };
}

/** Reports on the member that the value comes closest to. */
function either(...shapes: readonly Shape[]): Shape {
  return (r, v) => {
    const root = r.path.length;
    const tries: { readonly shape: Shape; readonly attempt: Report }[] = [];
    for (const shape of shapes) {
      const attempt: Report = { ...r, trying: true, expected: '', root, weight: 0 };
      shape(attempt, v);
      if (attempt.weight === 0) return;
      tries.push({ shape, attempt });
      // Unions in unions, where a definition holds itself: the work doubles at every level.
      if (attempt.weight < Infinity && r.trying) r.context.fuel -= 1000;
      if (r.context.fuel <= 0) return fail(r, 'simpler', v);
    }
    const closest = tries.reduce((a, b) => (b.attempt.weight < a.attempt.weight ? b : a));
    if (closest.attempt.weight === Infinity) {
      const expected = new Set(tries.map(({ attempt }) => attempt.expected));
      return fail(r, [...expected].join(' or '), v);
    }
    const found = r.trying ? closest.attempt : { ...r, root, weight: 0 };
    if (!r.trying) closest.shape(found, v);
    r.weight += found.weight;
    r.left = found.left;
    r.outside ||= found.outside;
  };
}

/** Objects that one property tells apart. */
function by(property: string, shapes: Shapes, absent?: Shape): Shape {
  return (r, v) => {
    if (!record(v)) return fail(r, 'an object', v);
    const value = member(v, property);
    const known = typeof value === 'string' && Object.hasOwn(shapes, value);
    const shape = known ? shapes[value] : value === undefined ? absent : undefined;
    if (shape) shape(r, v);
    else at(r, property, value, one(...Object.keys(shapes)));
  };
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

const anObject: Shape = /*@__PURE__*/ leaf('an object', (v) => record(v));
const base64Text: Shape = /*@__PURE__*/ leaf('base64 text', (v, c) => typeof v === 'string' && (!c.formats || matchesByte(v)));
const absent: Shape = /*@__PURE__*/ leaf('absent', () => false);
const aString: Shape = /*@__PURE__*/ leaf('a string', (v) => typeof v === 'string');
const anIntegerFrom0To10: Shape = /*@__PURE__*/ leaf('an integer from 0 to 10', (v) => whole(v) && v >= 0 && v <= 10);
const onlyNull: Shape = /*@__PURE__*/ leaf('null', (v) => v === null);
const aBoolean: Shape = /*@__PURE__*/ leaf('a boolean', (v) => typeof v === 'boolean');
const aStringOrAnInteger: Shape = /*@__PURE__*/ leaf('a string or an integer', (v) => typeof v === 'string' || whole(v));
const aURI: Shape = /*@__PURE__*/ leaf('a URI', (v, c) => typeof v === 'string' && (!c.formats || matchesUri(v)));
const aStringOf1To8CharactersThatMatchesAZ: Shape = /*@__PURE__*/ leaf('a string of 1 to 8 characters that matches ^[a-z]+$', (v) => typeof v === 'string' && characters(v) >= 1 && characters(v) <= 8 && /^[a-z]+$/u.test(v));
const aNumber: Shape = /*@__PURE__*/ leaf('a number', (v) => finite(v));
const aURITemplate: Shape = /*@__PURE__*/ leaf('a URI template', (v, c) => typeof v === 'string' && (!c.formats || matchesUriTemplate(v)));

function checkAnything(_v: unknown): boolean {
  return true;
}

const shapeAnything: Shape = /*@__PURE__*/ shape(checkAnything, () => anything);

function checkBare(v: unknown): boolean {
  return record(v);
}

const shapeBare: Shape = /*@__PURE__*/ shape(checkBare, () => anObject);

function checkBoth(v: unknown, c: Context): boolean {
  return nest(checkTree, v, c) && checkCat(v);
}

const shapeBoth: Shape = /*@__PURE__*/ shape(checkBoth, () => both(shapeTree, shapeCat));

function checkBusyError(v: unknown): boolean {
  return record(v) && v.code === -32099;
}

const shapeBusyError: Shape = /*@__PURE__*/ shape(checkBusyError, () => object({ code: one(-32099) }));

function checkBytes(v: unknown, c: Context): boolean {
  return (typeof v === 'string' && (!c.formats || matchesByte(v)));
}

const shapeBytes: Shape = /*@__PURE__*/ shape(checkBytes, () => base64Text);

function checkCallRequest(v: unknown, c: Context): boolean {
  return (
    record(v) &&
    v.method === 'things/call' &&
    nest(checkTree, v.params, c) &&
    (v.jsonrpc === undefined || v.jsonrpc === '2.0')
  );
}

const shapeCallRequest: Shape = /*@__PURE__*/ shape(checkCallRequest, () => object({ method: one('things/call'), params: shapeTree }, { jsonrpc: one('2.0') }));

function checkCallResult(v: unknown): boolean {
  return record(v);
}

const shapeCallResult: Shape = /*@__PURE__*/ shape(checkCallResult, () => anObject);

function checkCat(v: unknown): boolean {
  return record(v) && v.type === 'cat';
}

const shapeCat: Shape = /*@__PURE__*/ shape(checkCat, () => object({ type: one('cat') }));

function checkChangedNotification(v: unknown): boolean {
  return record(v) && v.method === 'notifications/things/list_changed';
}

const shapeChangedNotification: Shape = /*@__PURE__*/ shape(checkChangedNotification, () => object({ method: one('notifications/things/list_changed') }));

function checkClosed(v: unknown): boolean {
  if (!record(v)) return false;
  for (const key in v) {
    const p = v[key];
    switch (key) {
      case 'a':
        if (p !== undefined && typeof p !== 'string') return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

const shapeClosed: Shape = /*@__PURE__*/ shape(checkClosed, () => object({}, { a: aString }, absent));

function checkCount(v: unknown): boolean {
  return (whole(v) && v >= 0 && v <= 10);
}

const shapeCount: Shape = /*@__PURE__*/ shape(checkCount, () => anIntegerFrom0To10);

function checkCounts(v: unknown): boolean {
  if (!record(v)) return false;
  for (const key in v) {
    if (!checkCount(v[key])) return false;
  }
  return true;
}

const shapeCounts: Shape = /*@__PURE__*/ shape(checkCounts, () => object({}, {}, shapeCount));

function checkDog(v: unknown): boolean {
  return record(v) && v.type === 'dog';
}

const shapeDog: Shape = /*@__PURE__*/ shape(checkDog, () => object({ type: one('dog') }));

function checkEmpty(v: unknown): boolean {
  return v === null;
}

const shapeEmpty: Shape = /*@__PURE__*/ shape(checkEmpty, () => onlyNull);

function checkFlag(v: unknown): boolean {
  return typeof v === 'boolean';
}

const shapeFlag: Shape = /*@__PURE__*/ shape(checkFlag, () => aBoolean);

function checkId(v: unknown): boolean {
  return typeof v === 'string' || whole(v);
}

const shapeId: Shape = /*@__PURE__*/ shape(checkId, () => aStringOrAnInteger);

function checkLevel(v: unknown): boolean {
  return (v === 'high' || v === 'low');
}

const shapeLevel: Shape = /*@__PURE__*/ shape(checkLevel, () => one('high', 'low'));

function checkLink(v: unknown, c: Context): boolean {
  return (typeof v === 'string' && (!c.formats || matchesUri(v)));
}

const shapeLink: Shape = /*@__PURE__*/ shape(checkLink, () => aURI);

function checkMixed(v: unknown): boolean {
  return (v === 'a' || v === 1 || v === true || v === null);
}

const shapeMixed: Shape = /*@__PURE__*/ shape(checkMixed, () => one('a', 1, true, null));

function checkName(v: unknown): boolean {
  return (
    (typeof v === 'string' && characters(v) >= 1 && characters(v) <= 8 && /^[a-z]+$/u.test(v))
  );
}

const shapeName: Shape = /*@__PURE__*/ shape(checkName, () => aStringOf1To8CharactersThatMatchesAZ);

function checkNameOrCat(v: unknown): boolean {
  return checkName(v) || checkCat(v);
}

const shapeNameOrCat: Shape = /*@__PURE__*/ shape(checkNameOrCat, () => either(shapeName, shapeCat));

function checkNamedPet(v: unknown, c: Context): boolean {
  return checkPet(v) && nest(checkTree, v, c);
}

const shapeNamedPet: Shape = /*@__PURE__*/ shape(checkNamedPet, () => both(shapePet, shapeTree));

function checkNames(v: unknown): boolean {
  if (!(list(v) && v.length >= 1 && v.length <= 3)) return false;
  for (let i = 0; i < v.length; i++) {
    const p = v[i];
    if (!checkName(p)) return false;
  }
  return true;
}

const shapeNames: Shape = /*@__PURE__*/ shape(checkNames, () => each(shapeName, 1, 3));

function checkNothing(_v: unknown): boolean {
  return false;
}

const shapeNothing: Shape = /*@__PURE__*/ shape(checkNothing, () => absent);

function checkOpen(v: unknown): boolean {
  return record(v) && (v.a === undefined || typeof v.a === 'string');
}

const shapeOpen: Shape = /*@__PURE__*/ shape(checkOpen, () => object({}, { a: aString }));

function checkPet(v: unknown): boolean {
  if (record(v)) {
    switch (v.type) {
      case 'cat':
        return checkCat(v);
      case 'dog':
        return checkDog(v);
      default:
        return false;
    }
  }
  return false;
}

const shapePet: Shape = /*@__PURE__*/ shape(checkPet, () => by('type', { cat: shapeCat, dog: shapeDog }));

function checkPresent(v: unknown): boolean {
  return record(v) && v.anything !== undefined;
}

const shapePresent: Shape = /*@__PURE__*/ shape(checkPresent, () => object({ anything: anything }));

function checkRatio(v: unknown): boolean {
  return finite(v);
}

const shapeRatio: Shape = /*@__PURE__*/ shape(checkRatio, () => aNumber);

function checkServerCapabilitiesThings(v: unknown): boolean {
  return record(v) && (v.listChanged === undefined || typeof v.listChanged === 'boolean');
}

function checkServerCapabilities(v: unknown): boolean {
  return record(v) && (v.things === undefined || checkServerCapabilitiesThings(v.things));
}

const shapeServerCapabilities: Shape = /*@__PURE__*/ shape(checkServerCapabilities, () => object({}, { things: object({}, { listChanged: aBoolean }) }));

function checkTemplate(v: unknown, c: Context): boolean {
  return (typeof v === 'string' && (!c.formats || matchesUriTemplate(v)));
}

const shapeTemplate: Shape = /*@__PURE__*/ shape(checkTemplate, () => aURITemplate);

function checkTreeChildren(v: unknown, c: Context): boolean {
  if (!list(v)) return false;
  for (let i = 0; i < v.length; i++) {
    const p = v[i];
    if (!nest(checkTree, p, c)) return false;
  }
  return true;
}

function checkTree(v: unknown, c: Context): boolean {
  return (
    record(v) &&
    typeof v.label === 'string' &&
    (v['data-x'] === undefined || typeof v['data-x'] === 'string') &&
    (v.children === undefined || checkTreeChildren(v.children, c))
  );
}

const shapeTree: Shape = /*@__PURE__*/ deep(() => object({ label: aString }, { 'data-x': aString, children: each(shapeTree) }));

/** What each party sends, and what answers each method. */
export interface Messages {
  readonly client: {
    readonly request: types.CallRequest;
    readonly notification: never;
  };
  readonly server: {
    readonly request: never;
    readonly notification: types.ChangedNotification;
  };
  readonly results: {
    readonly 'things/call': types.CallResult;
  };
}

/** The methods, who sends them, and what answers them. */
export const wire: Wire<Messages> = {
  methods: /*@__PURE__*/ byLength([
    {
      method: 'things/call',
      from: 'client',
      request: [checkCallRequest, shapeCallRequest],
      result: [checkCallResult, shapeCallResult],
    },
    {
      method: 'notifications/things/list_changed',
      from: 'server',
      notification: [checkChangedNotification, shapeChangedNotification],
    },
  ]),
};

export function isAlias(value: unknown, options?: ValidationOptions): value is types.Alias {
  return accepts(checkPet, value, options);
}

export function validateAlias(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Alias> {
  return validation(checkPet, shapePet, value, options);
}

export function isAnything(value: unknown, options?: ValidationOptions): value is types.Anything {
  return accepts(checkAnything, value, options);
}

export function validateAnything(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Anything> {
  return validation(checkAnything, shapeAnything, value, options);
}

export function isBare(value: unknown, options?: ValidationOptions): value is types.Bare {
  return accepts(checkBare, value, options);
}

export function validateBare(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Bare> {
  return validation(checkBare, shapeBare, value, options);
}

export function isBoth(value: unknown, options?: ValidationOptions): value is types.Both {
  return accepts(checkBoth, value, options);
}

export function validateBoth(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Both> {
  return validation(checkBoth, shapeBoth, value, options);
}

export function isBusyError(value: unknown, options?: ValidationOptions): value is types.BusyError {
  return accepts(checkBusyError, value, options);
}

export function validateBusyError(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.BusyError> {
  return validation(checkBusyError, shapeBusyError, value, options);
}

export function isBytes(value: unknown, options?: ValidationOptions): value is types.Bytes {
  return accepts(checkBytes, value, options);
}

export function validateBytes(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Bytes> {
  return validation(checkBytes, shapeBytes, value, options);
}

export function isCallRequest(value: unknown, options?: ValidationOptions): value is types.CallRequest {
  return accepts(checkCallRequest, value, options);
}

export function validateCallRequest(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.CallRequest> {
  return validation(checkCallRequest, shapeCallRequest, value, options);
}

export function isCallResult(value: unknown, options?: ValidationOptions): value is types.CallResult {
  return accepts(checkCallResult, value, options);
}

export function validateCallResult(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.CallResult> {
  return validation(checkCallResult, shapeCallResult, value, options);
}

export function isCat(value: unknown, options?: ValidationOptions): value is types.Cat {
  return accepts(checkCat, value, options);
}

export function validateCat(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Cat> {
  return validation(checkCat, shapeCat, value, options);
}

export function isChangedNotification(value: unknown, options?: ValidationOptions): value is types.ChangedNotification {
  return accepts(checkChangedNotification, value, options);
}

export function validateChangedNotification(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.ChangedNotification> {
  return validation(checkChangedNotification, shapeChangedNotification, value, options);
}

export function isClientRequest(value: unknown, options?: ValidationOptions): value is types.ClientRequest {
  return accepts(checkCallRequest, value, options);
}

export function validateClientRequest(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.ClientRequest> {
  return validation(checkCallRequest, shapeCallRequest, value, options);
}

export function isClosed(value: unknown, options?: ValidationOptions): value is types.Closed {
  return accepts(checkClosed, value, options);
}

export function validateClosed(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Closed> {
  return validation(checkClosed, shapeClosed, value, options);
}

export function isCount(value: unknown, options?: ValidationOptions): value is types.Count {
  return accepts(checkCount, value, options);
}

export function validateCount(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Count> {
  return validation(checkCount, shapeCount, value, options);
}

export function isCounts(value: unknown, options?: ValidationOptions): value is types.Counts {
  return accepts(checkCounts, value, options);
}

export function validateCounts(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Counts> {
  return validation(checkCounts, shapeCounts, value, options);
}

export function isDog(value: unknown, options?: ValidationOptions): value is types.Dog {
  return accepts(checkDog, value, options);
}

export function validateDog(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Dog> {
  return validation(checkDog, shapeDog, value, options);
}

export function isEmpty(value: unknown, options?: ValidationOptions): value is types.Empty {
  return accepts(checkEmpty, value, options);
}

export function validateEmpty(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Empty> {
  return validation(checkEmpty, shapeEmpty, value, options);
}

export function isFlag(value: unknown, options?: ValidationOptions): value is types.Flag {
  return accepts(checkFlag, value, options);
}

export function validateFlag(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Flag> {
  return validation(checkFlag, shapeFlag, value, options);
}

export function isId(value: unknown, options?: ValidationOptions): value is types.Id {
  return accepts(checkId, value, options);
}

export function validateId(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Id> {
  return validation(checkId, shapeId, value, options);
}

export function isLevel(value: unknown, options?: ValidationOptions): value is types.Level {
  return accepts(checkLevel, value, options);
}

export function validateLevel(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Level> {
  return validation(checkLevel, shapeLevel, value, options);
}

export function isLink(value: unknown, options?: ValidationOptions): value is types.Link {
  return accepts(checkLink, value, options);
}

export function validateLink(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Link> {
  return validation(checkLink, shapeLink, value, options);
}

export function isMixed(value: unknown, options?: ValidationOptions): value is types.Mixed {
  return accepts(checkMixed, value, options);
}

export function validateMixed(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Mixed> {
  return validation(checkMixed, shapeMixed, value, options);
}

export function isName(value: unknown, options?: ValidationOptions): value is types.Name {
  return accepts(checkName, value, options);
}

export function validateName(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Name> {
  return validation(checkName, shapeName, value, options);
}

export function isNameOrCat(value: unknown, options?: ValidationOptions): value is types.NameOrCat {
  return accepts(checkNameOrCat, value, options);
}

export function validateNameOrCat(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.NameOrCat> {
  return validation(checkNameOrCat, shapeNameOrCat, value, options);
}

export function isNamedPet(value: unknown, options?: ValidationOptions): value is types.NamedPet {
  return accepts(checkNamedPet, value, options);
}

export function validateNamedPet(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.NamedPet> {
  return validation(checkNamedPet, shapeNamedPet, value, options);
}

export function isNames(value: unknown, options?: ValidationOptions): value is types.Names {
  return accepts(checkNames, value, options);
}

export function validateNames(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Names> {
  return validation(checkNames, shapeNames, value, options);
}

export function isNothing(value: unknown, options?: ValidationOptions): value is types.Nothing {
  return accepts(checkNothing, value, options);
}

export function validateNothing(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Nothing> {
  return validation(checkNothing, shapeNothing, value, options);
}

export function isObject(value: unknown, options?: ValidationOptions): value is types.Object {
  return accepts(checkBare, value, options);
}

export function validateObject(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Object> {
  return validation(checkBare, shapeBare, value, options);
}

export function isOpen(value: unknown, options?: ValidationOptions): value is types.Open {
  return accepts(checkOpen, value, options);
}

export function validateOpen(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Open> {
  return validation(checkOpen, shapeOpen, value, options);
}

export function isPet(value: unknown, options?: ValidationOptions): value is types.Pet {
  return accepts(checkPet, value, options);
}

export function validatePet(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Pet> {
  return validation(checkPet, shapePet, value, options);
}

export function isPresent(value: unknown, options?: ValidationOptions): value is types.Present {
  return accepts(checkPresent, value, options);
}

export function validatePresent(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Present> {
  return validation(checkPresent, shapePresent, value, options);
}

export function isRatio(value: unknown, options?: ValidationOptions): value is types.Ratio {
  return accepts(checkRatio, value, options);
}

export function validateRatio(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Ratio> {
  return validation(checkRatio, shapeRatio, value, options);
}

export function isServerCapabilities(value: unknown, options?: ValidationOptions): value is types.ServerCapabilities {
  return accepts(checkServerCapabilities, value, options);
}

export function validateServerCapabilities(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.ServerCapabilities> {
  return validation(checkServerCapabilities, shapeServerCapabilities, value, options);
}

export function isServerNotification(value: unknown, options?: ValidationOptions): value is types.ServerNotification {
  return accepts(checkChangedNotification, value, options);
}

export function validateServerNotification(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.ServerNotification> {
  return validation(checkChangedNotification, shapeChangedNotification, value, options);
}

export function isTemplate(value: unknown, options?: ValidationOptions): value is types.Template {
  return accepts(checkTemplate, value, options);
}

export function validateTemplate(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Template> {
  return validation(checkTemplate, shapeTemplate, value, options);
}

export function isTree(value: unknown, options?: ValidationOptions): value is types.Tree {
  return accepts(checkTree, value, options);
}

export function validateTree(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Tree> {
  return validation(checkTree, shapeTree, value, options);
}
