import * as z from 'zod';
import { matchesByte } from '../../json-schema/portable/byte.js';
import { characters } from '../../generator/emit/support/characters.js';
import { linear } from '../../json-schema/portable/pattern.js';
import { matchesUri } from '../../json-schema/portable/uri.js';
import { matchesUriTemplate } from '../../json-schema/portable/uri-template.js';
import { multiple } from '../../json-schema/portable/values.js';
import {
  atLeast,
  atMost,
  checked,
  guarded,
  integer,
  loose,
  made,
  record,
  strict,
  union,
} from '../../generator/emit/support/zod.js';
import type { LooseObject, RecordObject, StrictObject, TypedObject } from '../../generator/emit/support/zod.js';
import type * as types from './types.js';
import {
  validateEither,
  validateFixed,
  validateInherited,
  validateKeyed,
  validateListed,
  validateOnly,
  validatePair,
  validateRest,
  validateRestItems,
  validateRow,
  validateSized,
  validateSome,
  validateUnlike,
} from './validators.js';

export const CatSchema: LooseObject<types.Cat> = /*@__PURE__*/ (() =>
  loose({
    type: z.literal('cat'),
  }))();

export const DogSchema: LooseObject<types.Dog> = /*@__PURE__*/ (() =>
  loose({
    type: z.literal('dog'),
  }))();

export const PetSchema: z.ZodType<types.Pet> = /*@__PURE__*/ (() =>
  made(z.discriminatedUnion('type', [CatSchema, DogSchema])))();

export const AliasSchema: z.ZodType<types.Alias> = /*@__PURE__*/ (() => PetSchema)();

/**
 * Whatever.
 */
export const AnythingSchema: z.ZodUnknown = /*@__PURE__*/ (() => z.unknown())();

export const BareSchema: LooseObject<types.Bare> = /*@__PURE__*/ (() => loose({}))();

export const BetweenSchema: z.ZodNumber = /*@__PURE__*/ (() =>
  z.number().gt(0).lt(1).refine((value) => multiple(value, 0.25), 'Invalid number: must be a multiple of 0.25'))();

export const BlankSchema: z.ZodString = /*@__PURE__*/ (() =>
  z.string().refine((text) => characters(text) <= 0, 'Invalid input: expected <= 0 characters'))();

/**
 * A tree.
 *
 * It ends with *\/ and `${more}`.
 */
export const TreeSchema: LooseObject<types.Tree> = /*@__PURE__*/ (() =>
  loose({
    label: z.string(),
    'data-x': z.exactOptional(z.string()),
    children: z.exactOptional(z.array(z.lazy(() => TreeSchema))),
  }))();

export const BothSchema: LooseObject<types.Both> = /*@__PURE__*/ (() =>
  loose({
    label: z.string(),
    'data-x': z.exactOptional(z.string()),
    children: z.exactOptional(z.array(TreeSchema)),
    type: z.literal('cat'),
  }))();

export const BusyErrorSchema: LooseObject<types.BusyError> = /*@__PURE__*/ (() =>
  loose({
    code: z.literal(-32099),
  }))();

export const BytesSchema: z.ZodString = /*@__PURE__*/ (() =>
  z.string().refine(matchesByte, 'Invalid input: expected format byte'))();

export const CallRequestSchema: LooseObject<types.CallRequest> = /*@__PURE__*/ (() =>
  loose({
    jsonrpc: z.exactOptional(z.literal('2.0')),
    method: z.literal('things/call'),
    params: TreeSchema,
  }))();

export const CallResultSchema: LooseObject<types.CallResult> = /*@__PURE__*/ (() =>
  loose({
    'io.modelcontextprotocol/x': z.exactOptional(z.unknown()),
  }))();

export const ChangedNotificationSchema: LooseObject<types.ChangedNotification> =
  /*@__PURE__*/ (() =>
    loose({
      method: z.literal('notifications/things/list_changed'),
    }))();

export const ClientRequestSchema: LooseObject<types.ClientRequest> = /*@__PURE__*/ (() =>
  CallRequestSchema)();

export const ClosedSchema: StrictObject<types.Closed> = /*@__PURE__*/ (() =>
  strict({
    a: z.exactOptional(z.string()),
  }))();

export const CountSchema: z.ZodNumber = /*@__PURE__*/ (() => integer().gte(0).lte(10))();

export const CountsSchema: RecordObject<types.Counts> = /*@__PURE__*/ (() =>
  record(CountSchema, {}))();

export const DozensSchema: z.ZodNumber = /*@__PURE__*/ (() =>
  integer().refine((value) => multiple(value, 12), 'Invalid number: must be a multiple of 12'))();

export const EitherSchema: z.ZodType<types.Either> = /*@__PURE__*/ checked<types.Either>(
  validateEither,
);

export const EmptySchema: z.ZodType<types.Empty> = /*@__PURE__*/ (() => made(z.null()))();

export const FixedSchema: z.ZodType<types.Fixed> = /*@__PURE__*/ checked<types.Fixed>(
  validateFixed,
);

export const FlagSchema: z.ZodBoolean = /*@__PURE__*/ (() => z.boolean())();

export const IdSchema: z.ZodType<types.Id> = /*@__PURE__*/ (() =>
  made(z.union([z.string(), integer()])))();

export const InheritedSchema: TypedObject<LooseObject<types.Inherited>, types.Inherited> =
  /*@__PURE__*/ (() => guarded(loose({}), validateInherited))();

export const KeyedSchema: TypedObject<LooseObject<types.Keyed>, types.Keyed> = /*@__PURE__*/ (() =>
  guarded(
    loose({
      own: z.string(),
      xy: z.unknown(),
    }),
    validateKeyed,
  ))();

export const LetterSchema: z.ZodType<types.Letter> = /*@__PURE__*/ z.enum([
  'a',
  'b',
  'c',
  'd',
  'e',
  'f',
  'g',
  'h',
  'i',
]);

export const LevelSchema: z.ZodType<types.Level> = /*@__PURE__*/ z.enum(['high', 'low']);

export const LinkSchema: z.ZodString = /*@__PURE__*/ (() =>
  z.string().refine(matchesUri, 'Invalid input: expected format uri'))();

export const ListedSchema: z.ZodType<types.Listed> = /*@__PURE__*/ checked<types.Listed>(
  validateListed,
);

export const MixedSchema: z.ZodType<types.Mixed> = /*@__PURE__*/ z.literal(['a', 1, true, null]);

export const NameSchema: z.ZodString = /*@__PURE__*/ (() =>
  z
    .string()
    .regex(/*@__PURE__*/ new RegExp('^[a-z]+$', 'u'))
    .refine((text) => characters(text) >= 1, 'Invalid input: expected >= 1 characters')
    .refine((text) => characters(text) <= 8, 'Invalid input: expected <= 8 characters'))();

export const NameOrCatSchema: z.ZodType<types.NameOrCat> = /*@__PURE__*/ (() =>
  made(union([NameSchema, CatSchema])))();

export const NamedPetSchema: z.ZodType<types.NamedPet> = /*@__PURE__*/ (() =>
  made(
    z.discriminatedUnion('type', [
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
    ]),
  ))();

export const NamesSchema: z.ZodType<types.Names> = /*@__PURE__*/ (() =>
  made(z.array(NameSchema).check(atLeast(1), atMost(3))))();

export const NothingSchema: z.ZodType<types.Nothing> = /*@__PURE__*/ (() => made(z.never()))();

export const NumberSchema: z.ZodType<types.Number> = /*@__PURE__*/ z.literal([
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

export const ObjectSchema: TypedObject<LooseObject<types.Object>, types.Object> =
  /*@__PURE__*/ (() => loose({}))();

export const OldSchema: z.ZodString = /*@__PURE__*/ (() => z.string())();

export const OnlySchema: z.ZodType<types.Only> = /*@__PURE__*/ (() =>
  guarded(
    union([
      loose({
        a: z.string(),
      }),
      loose({
        b: z.string(),
      }),
    ]),
    validateOnly,
  ))();

export const OnlyPetSchema: z.ZodType<types.OnlyPet> = /*@__PURE__*/ (() =>
  made(union([CatSchema, DogSchema, z.null()])))();

export const OpenSchema: LooseObject<types.Open> = /*@__PURE__*/ (() =>
  loose({
    a: z.exactOptional(z.string()),
  }))();

export const PairSchema: z.ZodType<types.Pair> = /*@__PURE__*/ (() =>
  guarded(z.array(z.unknown()).check(atLeast(1)), validatePair))();

export const PresentSchema: LooseObject<types.Present> = /*@__PURE__*/ (() =>
  loose({
    anything: z.unknown(),
  }))();

export const RatioSchema: z.ZodNumber = /*@__PURE__*/ (() => z.number())();

export const RestSchema: TypedObject<LooseObject<types.Rest>, types.Rest> = /*@__PURE__*/ (() =>
  guarded(
    loose({
      a: z.exactOptional(z.string()),
      type: z.literal('cat'),
    }),
    validateRest,
  ))();

export const RestItemsSchema: z.ZodType<types.RestItems> = /*@__PURE__*/ (() =>
  guarded(z.array(z.unknown()), validateRestItems))();

export const RowSchema: z.ZodType<types.Row> = /*@__PURE__*/ (() =>
  guarded(z.array(z.unknown()), validateRow))();

export const SafeSchema: z.ZodString = /*@__PURE__*/ (() =>
  z
    .string()
    .refine(/*@__PURE__*/ linear([/a/u, /b/u, /c/u, /d/u, /\d/u], ['^', { part: { or: [0, 1, [{ ahead: 2 }, 2, { part: 3, min: 0, max: 1 }]] }, min: 1 }, { behind: 0, not: true }, { part: 4, min: 2, max: 3 }, '$']).test, 'Invalid string: must match pattern ^(?:a|b|(?=c)cd?)+(?<!a)\\d{2,3}$'))();

export const ServerCapabilitiesSchema: LooseObject<types.ServerCapabilities> = /*@__PURE__*/ (() =>
  loose({
    things: z.exactOptional(
      loose({
        listChanged: z.exactOptional(z.boolean()),
      }),
    ),
  }))();

export const ServerNotificationSchema: LooseObject<types.ServerNotification> = /*@__PURE__*/ (() =>
  ChangedNotificationSchema)();

export const SizedSchema: LooseObject<types.Sized> = /*@__PURE__*/ (() =>
  guarded(loose({}), validateSized))();

export const SomeSchema: z.ZodType<types.Some> = /*@__PURE__*/ (() =>
  guarded(z.array(z.unknown()), validateSome))();

export const TemplateSchema: z.ZodString = /*@__PURE__*/ (() =>
  z.string().refine(matchesUriTemplate, 'Invalid input: expected format uri-template'))();

export const UnlikeSchema: z.ZodType<types.Unlike> = /*@__PURE__*/ checked<types.Unlike>(
  validateUnlike,
);

export const WideSchema: LooseObject<types.Wide> = /*@__PURE__*/ (() =>
  loose({
    p0: z.string(),
    p1: z.exactOptional(z.string()),
    p2: z.exactOptional(z.string()),
    p3: z.exactOptional(z.string()),
    p4: z.exactOptional(z.string()),
    p5: z.exactOptional(z.string()),
    p6: z.exactOptional(z.string()),
    p7: z.exactOptional(z.string()),
    p8: z.exactOptional(z.string()),
    p9: z.exactOptional(z.string()),
    p10: z.exactOptional(z.string()),
    p11: z.exactOptional(z.string()),
    p12: z.exactOptional(z.string()),
  }))();

export const WidesSchema: z.ZodType<types.Wides> = /*@__PURE__*/ (() =>
  made(
    z.array(
      loose({
        q0: z.exactOptional(z.number()),
        q1: z.exactOptional(z.number()),
        q2: z.exactOptional(z.number()),
        q3: z.exactOptional(z.number()),
        q4: z.exactOptional(z.number()),
        q5: z.exactOptional(z.number()),
        q6: z.exactOptional(z.number()),
      }),
    ),
  ))();

export const WordSchema: z.ZodString = /*@__PURE__*/ (() =>
  z.string().refine((text) => characters(text) >= 2, 'Invalid input: expected >= 2 characters'))();
