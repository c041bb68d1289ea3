import { matchesByte } from '../../generator/emit/support/byte.js';
import { atMost } from '../../generator/emit/support/characters.js';
import { accepts, finite, list, nest, record, whole } from '../../generator/emit/support/check.js';
import type { Context, Unchecked } from '../../generator/emit/support/check.js';
import { validation } from '../../generator/emit/support/report.js';
import type { Shape } from '../../generator/emit/support/report.js';
import {
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
import { matchesUri } from '../../generator/emit/support/uri.js';
import { matchesUriTemplate } from '../../generator/emit/support/uri-template.js';
import type { Validation, ValidationOptions } from '../../generator/emit/support/validation.js';
import { placeOf } from '../../generator/emit/support/wire.js';
import type { Wire } from '../../generator/emit/support/wire.js';
import type * as types from './types.js';

export type { Validation, ValidationError, ValidationOptions } from '../../generator/emit/support/validation.js';
export type { Party } from '../../generator/emit/support/protocol.js';
export type { MessageTypes, Wire } from '../../generator/emit/support/wire.js';

const pattern = /^[a-z]+$/u;

const aString: Shape = /*@__PURE__*/ leaf('a string', (v) => typeof v === 'string');
const anObject: Shape = /*@__PURE__*/ leaf('an object', (v) => record(v));
const base64Text: Shape = /*@__PURE__*/ leaf('base64 text', (v, c) => typeof v === 'string' && (!c.formats || matchesByte(v)));
const absent: Shape = /*@__PURE__*/ leaf('absent', () => false);
const anIntegerFrom0To10: Shape = /*@__PURE__*/ leaf('an integer from 0 to 10', (v) => whole(v) && v >= 0 && v <= 10);
const onlyNull: Shape = /*@__PURE__*/ leaf('null', (v) => v === null);
const aBoolean: Shape = /*@__PURE__*/ leaf('a boolean', (v) => typeof v === 'boolean');
const aStringOrAnInteger: Shape = /*@__PURE__*/ leaf('a string or an integer', (v) => typeof v === 'string' || whole(v));
const aURI: Shape = /*@__PURE__*/ leaf('a URI', (v, c) => typeof v === 'string' && (!c.formats || matchesUri(v)));
const aStringOf1To8CharactersThatMatchesAZ$: Shape = /*@__PURE__*/ leaf('a string of 1 to 8 characters that matches ^[a-z]+$', (v) => typeof v === 'string' && v !== '' && atMost(v, 8) && pattern.test(v));
const aNumber: Shape = /*@__PURE__*/ leaf('a number', (v) => finite(v));
const aURITemplate: Shape = /*@__PURE__*/ leaf('a URI template', (v, c) => typeof v === 'string' && (!c.formats || matchesUriTemplate(v)));

function checkCallRequestParams(v: Unchecked, c: Context): boolean {
  return nest(checkTree, v, c);
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

function checkEmpty(v: Unchecked): boolean {
  return v === null;
}

const shapeEmpty: Shape = /*@__PURE__*/ shape(checkEmpty, () => onlyNull);

function checkFlag(v: Unchecked): boolean {
  return typeof v === 'boolean';
}

const shapeFlag: Shape = /*@__PURE__*/ shape(checkFlag, () => aBoolean);

function checkId(v: Unchecked): boolean {
  return typeof v === 'string' || whole(v);
}

const shapeId: Shape = /*@__PURE__*/ shape(checkId, () => aStringOrAnInteger);

function checkLevel(v: Unchecked): boolean {
  return (v === 'high' || v === 'low');
}

const shapeLevel: Shape = /*@__PURE__*/ shape(checkLevel, () => one('high', 'low'));

function checkLink(v: Unchecked, c: Context): boolean {
  return (typeof v === 'string' && (!c.formats || matchesUri(v)));
}

const shapeLink: Shape = /*@__PURE__*/ shape(checkLink, () => aURI);

function checkMixed(v: Unchecked): boolean {
  return (v === 'a' || v === 1 || v === true || v === null);
}

const shapeMixed: Shape = /*@__PURE__*/ shape(checkMixed, () => one('a', 1, true, null));

function checkName(v: Unchecked): boolean {
  return (typeof v === 'string' && v !== '' && atMost(v, 8) && pattern.test(v));
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
