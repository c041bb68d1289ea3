import {
  conditional,
  contains,
  demand,
  exactlyOne,
  fine,
  keyed,
  tuple,
  unevaluated,
} from '../../generator/emit/support/applicators.js';
import { matchesByte } from '../../json-schema/portable/byte.js';
import { atLeast, atMost } from '../../generator/emit/support/characters.js';
import {
  accepts,
  alike,
  finite,
  list,
  nest,
  ownMember,
  record,
  seen,
  whole,
} from '../../generator/emit/support/check.js';
import type { Context, Unchecked } from '../../generator/emit/support/check.js';
import { matchesDate } from '../../json-schema/portable/date-time.js';
import {
  addFirst,
  addItems,
  addKeys,
  addMatching,
  nothing,
  restMatches,
} from '../../generator/emit/support/evaluated.js';
import type { Evaluated } from '../../generator/emit/support/evaluated.js';
import { linear } from '../../json-schema/portable/pattern.js';
import { validation } from '../../generator/emit/support/report.js';
import type { Shape } from '../../generator/emit/support/report.js';
import {
  among,
  anything,
  both,
  by,
  deep,
  each,
  either,
  leaf,
  object,
  one,
  shape,
} from '../../generator/emit/support/shapes.js';
import { matchesUri } from '../../json-schema/portable/uri.js';
import { matchesUriTemplate } from '../../json-schema/portable/uri-template.js';
import type { Validation, ValidationOptions } from '../../generator/emit/support/validation.js';
import { distinct, multiple, same, size } from '../../json-schema/portable/values.js';
import { placeOf } from '../../generator/emit/support/wire.js';
import type { Wire } from '../../generator/emit/support/wire.js';
import type * as types from './types.js';

export type { Validation, ValidationError, ValidationOptions } from '../../generator/emit/support/validation.js';
export type { Party } from '../../generator/emit/support/protocol.js';
export type { MessageTypes, Wire } from '../../generator/emit/support/wire.js';

const values: ReadonlySet<unknown> = /*@__PURE__*/ new Set<unknown>([
  0,
  1,
  2,
  3,
  4,
  5,
  6,
  7,
  8,
  9,
  10,
  11,
  12,
  13,
  14,
  15,
  16,
  17,
  18,
  19,
  20,
  21,
  22,
  23,
  24,
  25,
  26,
  27,
  28,
  29,
  30,
]);

const pattern = /^x/u;

const pattern2 = /^y/u;

const pattern3 = /^[a-z]+$/u;

const pattern4 = /*@__PURE__*/ linear([/a/u, /b/u, /c/u, /d/u, /\d/u], ['^', { part: { or: [0, 1, [{ ahead: 2 }, 2, { part: 3, min: 0, max: 1 }]] }, min: 1 }, { behind: 0, not: true }, { part: 4, min: 2, max: 3 }, '$']);

const constant: unknown = { 'a': [1, 'x'], "it's": null };

const constant2: unknown = { 'a': 1 };

const constant3: unknown = [];

const aString: Shape = /*@__PURE__*/ leaf('a string', (v) => typeof v === 'string');
const anObject: Shape = /*@__PURE__*/ leaf('an object', (v) => record(v));
const aNumberAbove0Below1ThatIsAMultipleOf025: Shape = /*@__PURE__*/ leaf('a number above 0 below 1 that is a multiple of 0.25', (v) => typeof v === 'number' && v > 0 && v < 1 && multiple(v, 0.25));
const aStringOfAtMost0Characters: Shape = /*@__PURE__*/ leaf('a string of at most 0 characters', (v) => typeof v === 'string' && v === '');
const base64Text: Shape = /*@__PURE__*/ leaf('base64 text', (v, c) => typeof v === 'string' && (!c.formats || matchesByte(v)));
const absent: Shape = /*@__PURE__*/ leaf('absent', () => false);
const anIntegerFrom0To10: Shape = /*@__PURE__*/ leaf('an integer from 0 to 10', (v) => whole(v) && v >= 0 && v <= 10);
const anIntegerThatIsAMultipleOf12: Shape = /*@__PURE__*/ leaf('an integer that is a multiple of 12', (v) => whole(v) && multiple(v, 12));
const onlyNull: Shape = /*@__PURE__*/ leaf('null', (v) => v === null);
const aBoolean: Shape = /*@__PURE__*/ leaf('a boolean', (v) => typeof v === 'boolean');
const anArray: Shape = /*@__PURE__*/ leaf('an array', (v) => list(v));
const aNumber: Shape = /*@__PURE__*/ leaf('a number', (v) => finite(v));
const aDate: Shape = /*@__PURE__*/ leaf('a date', (v, c) => typeof v === 'string' && (!c.formats || matchesDate(v)));
const oneOfThese: Shape = /*@__PURE__*/ leaf('{"a":[1,"x"],"it\'s":null}', (v) => same(v, constant));
const aStringOrAnInteger: Shape = /*@__PURE__*/ leaf('a string or an integer', (v) => typeof v === 'string' || whole(v));
const aURI: Shape = /*@__PURE__*/ leaf('a URI', (v, c) => typeof v === 'string' && (!c.formats || matchesUri(v)));
const oneOfThese2: Shape = /*@__PURE__*/ leaf('"none" or {"a":1} or []', (v) => v === 'none' || same(v, constant2) || same(v, constant3));
const aStringOf1To8CharactersThatMatchesAZ$: Shape = /*@__PURE__*/ leaf('a string of 1 to 8 characters that matches ^[a-z]+$', (v) => typeof v === 'string' && v !== '' && atMost(v, 8) && pattern3.test(v));
const nullOrABooleanOrAnObjectOrAnArrayOrANumberOrAString: Shape = /*@__PURE__*/ leaf('null or a boolean or an object or an array or a number or a string', (v) => v === null || typeof v === 'boolean' || record(v) || list(v) || finite(v) || typeof v === 'string');
const aStringThatMatchesABCCdAD23$: Shape = /*@__PURE__*/ leaf('a string that matches ^(?:a|b|(?=c)cd?)+(?<!a)\\d{2,3}$', (v) => typeof v === 'string' && pattern4.test(v));
const aURITemplate: Shape = /*@__PURE__*/ leaf('a URI template', (v, c) => typeof v === 'string' && (!c.formats || matchesUriTemplate(v)));
const aStringOfAtLeast2Characters: Shape = /*@__PURE__*/ leaf('a string of at least 2 characters', (v) => typeof v === 'string' && atLeast(v, 2));

function checkCallRequestParams(v: Unchecked, c: Context): boolean {
  return nest(checkTree, v, c);
}

function checkIfOption1(v: Unchecked): boolean {
  if (!(typeof v === 'object' && v !== null && !list(v) && v['a'] !== undefined)) return false;
  return true;
}

function checkIf(v: Unchecked): boolean {
  return (
    v === null ||
    typeof v === 'boolean' ||
    list(v) ||
    finite(v) ||
    typeof v === 'string' ||
    checkIfOption1(v)
  );
}

function checkOption1(v: Unchecked): boolean {
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      typeof v['a'] === 'string'
    )
  ) {
    return false;
  }
  return true;
}

function checkOption2(v: Unchecked): boolean {
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      typeof v['b'] === 'string'
    )
  ) {
    return false;
  }
  return true;
}

function checkEvaluatedPart2Option1Option1(v: Unchecked): boolean {
  if (!(typeof v === 'object' && v !== null && !list(v) && v['b'] !== undefined)) return false;
  return true;
}

function checkEvaluatedPart2Option1(v: Unchecked): boolean {
  return list(v) || checkEvaluatedPart2Option1Option1(v);
}

function markCat(v: unknown, e: Evaluated): void {
  addKeys(e, v, ['type']);
}

function checkEvaluatedPart4IfOption1(v: Unchecked): boolean {
  if (!(typeof v === 'object' && v !== null && !list(v) && v['c'] !== undefined)) return false;
  return true;
}

function checkEvaluatedPart4If(v: Unchecked): boolean {
  return (
    v === null ||
    typeof v === 'boolean' ||
    list(v) ||
    finite(v) ||
    typeof v === 'string' ||
    checkEvaluatedPart4IfOption1(v)
  );
}

function markEvaluated(v: unknown, e: Evaluated): void {
  addKeys(e, v, ['a']);
  addMatching(e, v, (key) => pattern.test(key));
  if (checkEvaluatedPart2Option1(v)) {
    if (checkEvaluatedPart2Option1Option1(v)) {
      addKeys(e, v, ['b']);
    }
  }
  markCat(v, e);
  if (checkEvaluatedPart4If(v)) {
    if (record(v)) {
      addKeys(e, v, ['c']);
    }
  }
}

function markEvaluated2(v: unknown, e: Evaluated): void {
  addFirst(e, v, 1);
  addItems(e, v, (p) => finite(p));
}

function checkSize(v: Unchecked): boolean {
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      size(v) >= 1 &&
      size(v) <= 2
    )
  ) {
    return false;
  }
  return true;
}

function checkUnique(v: Unchecked): boolean {
  if (!list(v)) return false;
  if (!distinct(v)) return false;
  return true;
}

function checkAnything(_v: Unchecked): boolean {
  return true;
}

const shapeAnything: Shape = /*@__PURE__*/ shape(checkAnything, () => anything);

function checkBare(v: Unchecked): boolean {
  if (!(typeof v === 'object' && v !== null && !list(v))) return false;
  return true;
}

const shapeBare: Shape = /*@__PURE__*/ shape(checkBare, () => anObject);

function checkBetween(v: Unchecked): boolean {
  return (typeof v === 'number' && v > 0 && v < 1 && multiple(v, 0.25));
}

const shapeBetween: Shape = /*@__PURE__*/ shape(checkBetween, () => aNumberAbove0Below1ThatIsAMultipleOf025);

function checkBlank(v: Unchecked): boolean {
  return (typeof v === 'string' && v === '');
}

const shapeBlank: Shape = /*@__PURE__*/ shape(checkBlank, () => aStringOfAtMost0Characters);

function checkBoth(v: Unchecked, c: Context): boolean {
  return nest(checkTree, v, c) && checkCat(v);
}

const shapeBoth: Shape = /*@__PURE__*/ shape(checkBoth, () => both(shapeTree, shapeCat));

function checkBusyError(v: Unchecked): boolean {
  if (!(typeof v === 'object' && v !== null && !list(v) && v['code'] === -32099)) return false;
  return true;
}

const shapeBusyError: Shape = /*@__PURE__*/ shape(checkBusyError, () => object({ code: one(-32099) }));

function checkBytes(v: Unchecked, c: Context): boolean {
  return (typeof v === 'string' && (!c.formats || matchesByte(v)));
}

const shapeBytes: Shape = /*@__PURE__*/ shape(checkBytes, () => base64Text);

function checkCallRequest(v: Unchecked, c: Context): boolean {
  let p: unknown;
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      v['method'] === 'things/call' &&
      nest(checkTree, v['params'], c) &&
      ((p = v['jsonrpc']) === undefined || p === '2.0')
    )
  ) {
    return false;
  }
  return true;
}

const shapeCallRequest: Shape = /*@__PURE__*/ shape(checkCallRequest, () => object({ method: one('things/call'), params: shapeTree }, { jsonrpc: one('2.0') }));

function checkCallResult(v: Unchecked): boolean {
  if (!(typeof v === 'object' && v !== null && !list(v))) return false;
  return true;
}

const shapeCallResult: Shape = /*@__PURE__*/ shape(checkCallResult, () => anObject);

function checkCat(v: Unchecked): boolean {
  if (!(typeof v === 'object' && v !== null && !list(v) && v['type'] === 'cat')) return false;
  return true;
}

const shapeCat: Shape = /*@__PURE__*/ shape(checkCat, () => object({ type: one('cat') }));

function checkChangedNotification(v: Unchecked): boolean {
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      v['method'] === 'notifications/things/list_changed'
    )
  ) {
    return false;
  }
  return true;
}

const shapeChangedNotification: Shape = /*@__PURE__*/ shape(checkChangedNotification, () => object({ method: one('notifications/things/list_changed') }));

function checkClosed(v: Unchecked): boolean {
  if (!record(v)) return false;
  for (const key in v) {
    const p = v[key];
    switch (key) {
      case 'a':
        if (typeof p !== 'string' && p !== undefined) return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

const shapeClosed: Shape = /*@__PURE__*/ shape(checkClosed, () => object({}, { a: aString }, absent));

function checkCount(v: Unchecked): boolean {
  return (whole(v) && v >= 0 && v <= 10);
}

const shapeCount: Shape = /*@__PURE__*/ shape(checkCount, () => anIntegerFrom0To10);

function checkCounts(v: Unchecked): boolean {
  if (!record(v)) return false;
  for (const key in v) {
    const p = v[key];
    if (!checkCount(p)) return false;
  }
  return true;
}

const shapeCounts: Shape = /*@__PURE__*/ shape(checkCounts, () => object({}, {}, shapeCount));

function checkDog(v: Unchecked): boolean {
  if (!(typeof v === 'object' && v !== null && !list(v) && v['type'] === 'dog')) return false;
  return true;
}

const shapeDog: Shape = /*@__PURE__*/ shape(checkDog, () => object({ type: one('dog') }));

function checkDozens(v: Unchecked): boolean {
  return (whole(v) && multiple(v, 12));
}

const shapeDozens: Shape = /*@__PURE__*/ shape(checkDozens, () => anIntegerThatIsAMultipleOf12);

function checkEitherThenOption1(v: Unchecked): boolean {
  let p: unknown;
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      ((p = v['a']) === undefined || typeof p === 'string')
    )
  ) {
    return false;
  }
  return true;
}

function checkEitherThen(v: Unchecked): boolean {
  return (
    v === null ||
    typeof v === 'boolean' ||
    list(v) ||
    finite(v) ||
    typeof v === 'string' ||
    checkEitherThenOption1(v)
  );
}

function checkEither(v: Unchecked, c: Context): boolean {
  return checkIf(v) ? checkEitherThen(v) : (typeof v === 'string' && (!c.formats || matchesDate(v)));
}

const shapeEither: Shape = /*@__PURE__*/ shape(checkEither, () => conditional(
  (v) => checkIf(v),
  either(
    onlyNull,
    aBoolean,
    object({}, { a: aString }),
    anArray,
    aNumber,
    aString,
  ),
  aDate,
));

function checkEmpty(v: Unchecked): boolean {
  return v === null;
}

const shapeEmpty: Shape = /*@__PURE__*/ shape(checkEmpty, () => onlyNull);

function checkFixed(v: Unchecked): boolean {
  return same(v, constant);
}

const shapeFixed: Shape = /*@__PURE__*/ shape(checkFixed, () => oneOfThese);

function checkFlag(v: Unchecked): boolean {
  return typeof v === 'boolean';
}

const shapeFlag: Shape = /*@__PURE__*/ shape(checkFlag, () => aBoolean);

function checkId(v: Unchecked): boolean {
  return typeof v === 'string' || whole(v);
}

const shapeId: Shape = /*@__PURE__*/ shape(checkId, () => aStringOrAnInteger);

function checkInherited(v: Unchecked): boolean {
  let p: unknown;
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      ownMember(v, 'constructor') !== undefined &&
      ((p = ownMember(v, 'toString')) === undefined || typeof p === 'string')
    )
  ) {
    return false;
  }
  return true;
}

const shapeInherited: Shape = /*@__PURE__*/ shape(checkInherited, () => object({ constructor: anything }, { toString: aString }));

function checkKeyed(v: Unchecked): boolean {
  if (!record(v)) return false;
  let n = 0;
  for (const key in v) {
    if (key === 'xy' && v[key] !== undefined) n++;
    if (!((typeof key === 'string' && atMost(key, 3)))) return false;
    let other = true;
    if (pattern.test(key)) {
      other = false;
      if (!finite(v[key])) return false;
    }
    if (pattern2.test(key)) {
      other = false;
    }
    const p = v[key];
    switch (key) {
      case 'own':
        if (typeof p !== 'string') return false;
        n++;
        break;
      default:
        if (other) {
          return false;
        }
    }
  }
  return n === 2;
}

const shapeKeyed: Shape = /*@__PURE__*/ shape(checkKeyed, () => both(
  object({ own: aString, xy: anything }),
  keyed(
    [[(key) => pattern.test(key), aNumber], [(key) => pattern2.test(key), fine]],
    ['own'],
    absent,
    (v) => (typeof v === 'string' && atMost(v, 3)),
  ),
));

function checkLetter(v: Unchecked): boolean {
  return (
    (typeof v === 'string' && (v === 'a' || v === 'b' || v === 'c' || v === 'd' || v === 'e' || v === 'f' || v === 'g' || v === 'h' || v === 'i'))
  );
}

const shapeLetter: Shape = /*@__PURE__*/ shape(checkLetter, () => one('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'));

function checkLevel(v: Unchecked): boolean {
  return (v === 'high' || v === 'low');
}

const shapeLevel: Shape = /*@__PURE__*/ shape(checkLevel, () => one('high', 'low'));

function checkLink(v: Unchecked, c: Context): boolean {
  return (typeof v === 'string' && (!c.formats || matchesUri(v)));
}

const shapeLink: Shape = /*@__PURE__*/ shape(checkLink, () => aURI);

function checkListed(v: Unchecked): boolean {
  return v === 'none' || same(v, constant2) || same(v, constant3);
}

const shapeListed: Shape = /*@__PURE__*/ shape(checkListed, () => oneOfThese2);

function checkMixed(v: Unchecked): boolean {
  return (v === 'a' || v === 1 || v === true || v === null);
}

const shapeMixed: Shape = /*@__PURE__*/ shape(checkMixed, () => one('a', 1, true, null));

function checkName(v: Unchecked): boolean {
  return (typeof v === 'string' && v !== '' && atMost(v, 8) && pattern3.test(v));
}

const shapeName: Shape = /*@__PURE__*/ shape(checkName, () => aStringOf1To8CharactersThatMatchesAZ$);

function checkNameOrCat(v: Unchecked): boolean {
  return checkName(v) || checkCat(v);
}

const shapeNameOrCat: Shape = /*@__PURE__*/ shape(checkNameOrCat, () => either(shapeName, shapeCat));

function checkNamedPet(v: Unchecked, c: Context): boolean {
  return checkPet(v) && nest(checkTree, v, c);
}

const shapeNamedPet: Shape = /*@__PURE__*/ shape(checkNamedPet, () => both(shapePet, shapeTree));

function checkNames(v: Unchecked): boolean {
  if (!(list(v) && v.length >= 1 && v.length <= 3)) return false;
  for (let i = 0; i < v.length; i++) {
    const p = v[i];
    if (!checkName(p)) return false;
  }
  return true;
}

const shapeNames: Shape = /*@__PURE__*/ shape(checkNames, () => each(shapeName, 1, 3));

function checkNothing(_v: Unchecked): boolean {
  return false;
}

const shapeNothing: Shape = /*@__PURE__*/ shape(checkNothing, () => absent);

function checkNumber(v: Unchecked): boolean {
  return values.has(v);
}

const shapeNumber: Shape = /*@__PURE__*/ shape(checkNumber, () => among(values));

function checkOld(v: Unchecked): boolean {
  return typeof v === 'string';
}

const shapeOld: Shape = /*@__PURE__*/ shape(checkOld, () => aString);

function checkOnly(v: Unchecked): boolean {
  let n = 0;
  if (checkOption1(v) && ++n > 1) return false;
  if (checkOption2(v) && ++n > 1) return false;
  return n === 1;
}

const shapeOnly: Shape = /*@__PURE__*/ shape(checkOnly, () => exactlyOne(
  [(v) => checkOption1(v), (v) => checkOption2(v)],
  object({ a: aString }),
  object({ b: aString }),
));

function checkOnlyPet(v: Unchecked): boolean {
  if (typeof v === 'object' && v !== null && !list(v)) {
    switch (v['type']) {
      case 'cat':
        return checkCat(v);
      case 'dog':
        return checkDog(v);
      default:
        return false;
    }
  }
  return v === null;
}

const shapeOnlyPet: Shape = /*@__PURE__*/ shape(checkOnlyPet, () => either(by('type', { cat: shapeCat, dog: shapeDog }), onlyNull));

function checkOpen(v: Unchecked): boolean {
  let p: unknown;
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      ((p = v['a']) === undefined || typeof p === 'string')
    )
  ) {
    return false;
  }
  return true;
}

const shapeOpen: Shape = /*@__PURE__*/ shape(checkOpen, () => object({}, { a: aString }));

function checkPair(v: Unchecked): boolean {
  return (
    list(v) &&
    v.length >= 1 &&
    (v.length <= 0 || typeof v[0] === 'string') &&
    (v.length <= 1 || checkFixed(v[1])) &&
    v.length <= 2
  );
}

const shapePair: Shape = /*@__PURE__*/ shape(checkPair, () => tuple([aString, shapeFixed], absent, 1));

function checkPet(v: Unchecked): boolean {
  if (typeof v === 'object' && v !== null && !list(v)) {
    switch (v['type']) {
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

function checkPresent(v: Unchecked): boolean {
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      v['anything'] !== undefined
    )
  ) {
    return false;
  }
  return true;
}

const shapePresent: Shape = /*@__PURE__*/ shape(checkPresent, () => object({ anything: anything }));

function checkRatio(v: Unchecked): boolean {
  return finite(v);
}

const shapeRatio: Shape = /*@__PURE__*/ shape(checkRatio, () => aNumber);

function checkRestEvaluatedPart1(v: Unchecked): boolean {
  let p: unknown;
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      ((p = v['a']) === undefined || typeof p === 'string')
    )
  ) {
    return false;
  }
  return true;
}

function checkRestEvaluatedPart4(v: Unchecked): boolean {
  return checkEvaluatedPart4If(v) ? (v === null || typeof v === 'boolean' || record(v) || list(v) || finite(v) || typeof v === 'string') : true;
}

function checkRestEvaluated(v: Unchecked): boolean {
  return checkRestEvaluatedPart1(v) && true && checkCat(v) && checkRestEvaluatedPart4(v);
}

function checkRest(v: Unchecked): boolean {
  if (!checkRestEvaluated(v)) return false;
  const e = nothing();
  addKeys(e, v, ['a']);
  addMatching(e, v, (key) => pattern.test(key));
  if (checkEvaluatedPart2Option1(v)) {
    if (checkEvaluatedPart2Option1Option1(v)) {
      addKeys(e, v, ['b']);
    }
  }
  markCat(v, e);
  if (checkEvaluatedPart4If(v)) {
    if (record(v)) {
      addKeys(e, v, ['c']);
    }
  }
  return restMatches(e, v, (p) => finite(p), undefined);
}

const shapeRest: Shape = /*@__PURE__*/ shape(checkRest, () => both(
  both(
    both(
      object({}, { a: aString }),
      keyed([[(key) => pattern.test(key), fine]], ['a'], undefined, undefined),
    ),
    either(object({ b: anything }), anArray, anything),
    shapeCat,
    conditional(
      (v) => checkEvaluatedPart4If(v),
      nullOrABooleanOrAnObjectOrAnArrayOrANumberOrAString,
      fine,
    ),
  ),
  unevaluated(markEvaluated, aNumber),
));

function checkRestItemsEvaluated(v: Unchecked): boolean {
  if (!(list(v) && (v.length <= 0 || typeof v[0] === 'string'))) return false;
  let n = 0;
  for (const p of v) if (finite(p)) n++;
  if (!(n >= 1)) return false;
  return true;
}

function checkRestItems(v: Unchecked): boolean {
  if (!checkRestItemsEvaluated(v)) return false;
  const e = nothing();
  addFirst(e, v, 1);
  addItems(e, v, (p) => finite(p));
  return restMatches(e, v, undefined, () => false);
}

const shapeRestItems: Shape = /*@__PURE__*/ shape(checkRestItems, () => both(
  both(tuple([aString], fine), contains((v) => finite(v), 1)),
  unevaluated(markEvaluated2, undefined, absent),
));

function checkRow(v: Unchecked): boolean {
  if (!(list(v) && (v.length <= 0 || typeof v[0] === 'string'))) return false;
  for (let i = 2; i < v.length; i++) {
    const p = v[i];
    if (!finite(p)) return false;
  }
  return true;
}

const shapeRow: Shape = /*@__PURE__*/ shape(checkRow, () => tuple([aString, anything], aNumber));

function checkSafe(v: Unchecked): boolean {
  return (typeof v === 'string' && pattern4.test(v));
}

const shapeSafe: Shape = /*@__PURE__*/ shape(checkSafe, () => aStringThatMatchesABCCdAD23$);

function checkServerCapabilitiesThings(v: Unchecked): boolean {
  let p: unknown;
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      ((p = v['listChanged']) === undefined || typeof p === 'boolean')
    )
  ) {
    return false;
  }
  return true;
}

function checkServerCapabilities(v: Unchecked): boolean {
  let p: unknown;
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      ((p = v['things']) === undefined || checkServerCapabilitiesThings(p))
    )
  ) {
    return false;
  }
  return true;
}

const shapeServerCapabilities: Shape = /*@__PURE__*/ shape(checkServerCapabilities, () => object({}, { things: object({}, { listChanged: aBoolean }) }));

function checkSized(v: Unchecked): boolean {
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      size(v) >= 1 &&
      size(v) <= 2
    )
  ) {
    return false;
  }
  return true;
}

const shapeSized: Shape = /*@__PURE__*/ shape(checkSized, () => both(
  object({}),
  demand('an object with at least 1 and at most 2 properties', (v) => checkSize(v)),
));

function checkSome(v: Unchecked): boolean {
  if (!list(v)) return false;
  let n = 0;
  for (const p of v) if (typeof p === 'string') n++;
  if (!(n >= 2 && n <= 3)) return false;
  if (!distinct(v)) return false;
  return true;
}

const shapeSome: Shape = /*@__PURE__*/ shape(checkSome, () => both(
  each(anything),
  contains((v) => typeof v === 'string', 2, 3),
  demand('free of duplicates', (v) => checkUnique(v)),
));

function checkTemplate(v: Unchecked, c: Context): boolean {
  return (typeof v === 'string' && (!c.formats || matchesUriTemplate(v)));
}

const shapeTemplate: Shape = /*@__PURE__*/ shape(checkTemplate, () => aURITemplate);

function checkTree(v: Unchecked, c: Context): boolean {
  let p: unknown;
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      typeof v['label'] === 'string' &&
      ((p = v['data-x']) === undefined || typeof p === 'string')
    )
  ) {
    return false;
  }
  p = v['children'];
  if (p !== undefined) {
    if (!list(p)) return false;
    for (let i = 0; i < p.length; i++) {
      const q = p[i];
      if (!nest(checkTree, q, c)) return false;
    }
  }
  return true;
}

const shapeTree: Shape = /*@__PURE__*/ deep(() => object({ label: aString }, { 'data-x': aString, children: each(shapeTree) }));

function checkUnlike(v: Unchecked, c: Context): boolean {
  return !((typeof v === 'string' && (!c.formats || matchesUri(v))));
}

const shapeUnlike: Shape = /*@__PURE__*/ shape(checkUnlike, () => leaf('something else', (v, c) => checkUnlike(v, c)));

const seenWide = /*@__PURE__*/ seen();

function checkWideByProperty(v: Unchecked): boolean {
  let p: unknown;
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      typeof v['p0'] === 'string' &&
      ((p = v['p1']) === undefined || typeof p === 'string') &&
      ((p = v['p2']) === undefined || typeof p === 'string') &&
      ((p = v['p3']) === undefined || typeof p === 'string') &&
      ((p = v['p4']) === undefined || typeof p === 'string') &&
      ((p = v['p5']) === undefined || typeof p === 'string') &&
      ((p = v['p6']) === undefined || typeof p === 'string') &&
      ((p = v['p7']) === undefined || typeof p === 'string') &&
      ((p = v['p8']) === undefined || typeof p === 'string') &&
      ((p = v['p9']) === undefined || typeof p === 'string') &&
      ((p = v['p10']) === undefined || typeof p === 'string') &&
      ((p = v['p11']) === undefined || typeof p === 'string') &&
      ((p = v['p12']) === undefined || typeof p === 'string')
    )
  ) {
    return false;
  }
  return true;
}

function checkWideByKey(v: Unchecked): boolean {
  if (!record(v)) return false;
  let n = 0;
  for (const key in v) {
    const p = v[key];
    if (p === undefined) continue;
    switch (key) {
      case 'p0':
        if (typeof p !== 'string') return false;
        n++;
        break;
      case 'p1':
      case 'p2':
      case 'p3':
      case 'p4':
      case 'p5':
      case 'p6':
      case 'p7':
      case 'p8':
      case 'p9':
      case 'p10':
      case 'p11':
      case 'p12':
        if (typeof p !== 'string') return false;
        break;
    }
  }
  return n === 1;
}

function checkWide(v: Unchecked): boolean {
  return alike(seenWide, v) ? checkWideByProperty(v) : checkWideByKey(v);
}

const shapeWide: Shape = /*@__PURE__*/ shape(checkWide, () => object({ p0: aString }, {
  p1: aString,
  p2: aString,
  p3: aString,
  p4: aString,
  p5: aString,
  p6: aString,
  p7: aString,
  p8: aString,
  p9: aString,
  p10: aString,
  p11: aString,
  p12: aString,
}));

const seenWidesItem = /*@__PURE__*/ seen();

function checkWidesItemByProperty(v: Unchecked): boolean {
  let p: unknown;
  if (
    !(
      typeof v === 'object' &&
      v !== null &&
      !list(v) &&
      ((p = v['q0']) === undefined || finite(p)) &&
      ((p = v['q1']) === undefined || finite(p)) &&
      ((p = v['q2']) === undefined || finite(p)) &&
      ((p = v['q3']) === undefined || finite(p)) &&
      ((p = v['q4']) === undefined || finite(p)) &&
      ((p = v['q5']) === undefined || finite(p)) &&
      ((p = v['q6']) === undefined || finite(p))
    )
  ) {
    return false;
  }
  return true;
}

function checkWidesItemByKey(v: Unchecked): boolean {
  if (!record(v)) return false;
  for (const key in v) {
    const p = v[key];
    if (p === undefined) continue;
    switch (key) {
      case 'q0':
      case 'q1':
      case 'q2':
      case 'q3':
      case 'q4':
      case 'q5':
      case 'q6':
        if (!finite(p)) return false;
        break;
    }
  }
  return true;
}

function checkWides(v: Unchecked): boolean {
  if (!list(v)) return false;
  const few = alike(seenWidesItem, v);
  for (let i = 0; i < v.length; i++) {
    const p = v[i];
    if (!(few ? checkWidesItemByProperty(p) : checkWidesItemByKey(p))) return false;
  }
  return true;
}

const shapeWides: Shape = /*@__PURE__*/ shape(checkWides, () => each(object({}, {
    q0: aNumber,
    q1: aNumber,
    q2: aNumber,
    q3: aNumber,
    q4: aNumber,
    q5: aNumber,
    q6: aNumber,
  })));

function checkWord(v: Unchecked): boolean {
  return (typeof v === 'string' && atLeast(v, 2));
}

const shapeWord: Shape = /*@__PURE__*/ shape(checkWord, () => aStringOfAtLeast2Characters);

/** The messages of each side and the results of each method. */
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

/** The rules of the methods, by their senders. */
export const wire: Wire<Messages> = {
  request(method, from, v, c) {
    switch (placeOf(method, 0)) {
      case 127:
        return (
          method === 'things/call' &&
          from === 'client' &&
          (c ? checkCallRequestParams(v, c) && 'partial' : shapeTree)
        );
      default:
        return false;
    }
  },
  notification(method, from, _v, c) {
    switch (placeOf(method, 0)) {
      case 143:
        return (
          method === 'notifications/things/list_changed' &&
          from === 'server' &&
          (c ? 'partial' : anything)
        );
      default:
        return false;
    }
  },
  response(method, _from, v, c) {
    switch (placeOf(method, 0)) {
      case 127:
        return method === 'things/call' && (c ? checkCallResult(v) && 'partial' : shapeCallResult);
      default:
        return false;
    }
  },
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

export function isBetween(value: unknown, options?: ValidationOptions): value is types.Between {
  return accepts(checkBetween, value, options);
}

export function validateBetween(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Between> {
  return validation(checkBetween, shapeBetween, value, options);
}

export function isBlank(value: unknown, options?: ValidationOptions): value is types.Blank {
  return accepts(checkBlank, value, options);
}

export function validateBlank(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Blank> {
  return validation(checkBlank, shapeBlank, value, options);
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

export function isDozens(value: unknown, options?: ValidationOptions): value is types.Dozens {
  return accepts(checkDozens, value, options);
}

export function validateDozens(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Dozens> {
  return validation(checkDozens, shapeDozens, value, options);
}

export function isEither(value: unknown, options?: ValidationOptions): value is types.Either {
  return accepts(checkEither, value, options);
}

export function validateEither(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Either> {
  return validation(checkEither, shapeEither, value, options);
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

export function isFixed(value: unknown, options?: ValidationOptions): value is types.Fixed {
  return accepts(checkFixed, value, options);
}

export function validateFixed(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Fixed> {
  return validation(checkFixed, shapeFixed, value, options);
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

export function isInherited(value: unknown, options?: ValidationOptions): value is types.Inherited {
  return accepts(checkInherited, value, options);
}

export function validateInherited(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Inherited> {
  return validation(checkInherited, shapeInherited, value, options);
}

export function isKeyed(value: unknown, options?: ValidationOptions): value is types.Keyed {
  return accepts(checkKeyed, value, options);
}

export function validateKeyed(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Keyed> {
  return validation(checkKeyed, shapeKeyed, value, options);
}

export function isLetter(value: unknown, options?: ValidationOptions): value is types.Letter {
  return accepts(checkLetter, value, options);
}

export function validateLetter(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Letter> {
  return validation(checkLetter, shapeLetter, value, options);
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

export function isListed(value: unknown, options?: ValidationOptions): value is types.Listed {
  return accepts(checkListed, value, options);
}

export function validateListed(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Listed> {
  return validation(checkListed, shapeListed, value, options);
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

export function isNumber(value: unknown, options?: ValidationOptions): value is types.Number {
  return accepts(checkNumber, value, options);
}

export function validateNumber(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Number> {
  return validation(checkNumber, shapeNumber, value, options);
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

export function isOld(value: unknown, options?: ValidationOptions): value is types.Old {
  return accepts(checkOld, value, options);
}

export function validateOld(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Old> {
  return validation(checkOld, shapeOld, value, options);
}

export function isOnly(value: unknown, options?: ValidationOptions): value is types.Only {
  return accepts(checkOnly, value, options);
}

export function validateOnly(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Only> {
  return validation(checkOnly, shapeOnly, value, options);
}

export function isOnlyPet(value: unknown, options?: ValidationOptions): value is types.OnlyPet {
  return accepts(checkOnlyPet, value, options);
}

export function validateOnlyPet(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.OnlyPet> {
  return validation(checkOnlyPet, shapeOnlyPet, value, options);
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

export function isPair(value: unknown, options?: ValidationOptions): value is types.Pair {
  return accepts(checkPair, value, options);
}

export function validatePair(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Pair> {
  return validation(checkPair, shapePair, value, options);
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

export function isRest(value: unknown, options?: ValidationOptions): value is types.Rest {
  return accepts(checkRest, value, options);
}

export function validateRest(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Rest> {
  return validation(checkRest, shapeRest, value, options);
}

export function isRestItems(value: unknown, options?: ValidationOptions): value is types.RestItems {
  return accepts(checkRestItems, value, options);
}

export function validateRestItems(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.RestItems> {
  return validation(checkRestItems, shapeRestItems, value, options);
}

export function isRow(value: unknown, options?: ValidationOptions): value is types.Row {
  return accepts(checkRow, value, options);
}

export function validateRow(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Row> {
  return validation(checkRow, shapeRow, value, options);
}

export function isSafe(value: unknown, options?: ValidationOptions): value is types.Safe {
  return accepts(checkSafe, value, options);
}

export function validateSafe(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Safe> {
  return validation(checkSafe, shapeSafe, value, options);
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

export function isSized(value: unknown, options?: ValidationOptions): value is types.Sized {
  return accepts(checkSized, value, options);
}

export function validateSized(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Sized> {
  return validation(checkSized, shapeSized, value, options);
}

export function isSome(value: unknown, options?: ValidationOptions): value is types.Some {
  return accepts(checkSome, value, options);
}

export function validateSome(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Some> {
  return validation(checkSome, shapeSome, value, options);
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

export function isUnlike(value: unknown, options?: ValidationOptions): value is types.Unlike {
  return accepts(checkUnlike, value, options);
}

export function validateUnlike(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Unlike> {
  return validation(checkUnlike, shapeUnlike, value, options);
}

export function isWide(value: unknown, options?: ValidationOptions): value is types.Wide {
  return accepts(checkWide, value, options);
}

export function validateWide(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Wide> {
  return validation(checkWide, shapeWide, value, options);
}

export function isWides(value: unknown, options?: ValidationOptions): value is types.Wides {
  return accepts(checkWides, value, options);
}

export function validateWides(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Wides> {
  return validation(checkWides, shapeWides, value, options);
}

export function isWord(value: unknown, options?: ValidationOptions): value is types.Word {
  return accepts(checkWord, value, options);
}

export function validateWord(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.Word> {
  return validation(checkWord, shapeWord, value, options);
}
