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
  discriminated,
  guarded,
  integer,
  loose,
  made,
  record,
  strict,
  union,
} from '../../generator/emit/support/zod.js';
import type {
  AnyObject,
  Lazy,
  LooseObject,
  RecordObject,
  StrictObject,
  Typed,
} from '../../generator/emit/support/zod.js';
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

export const CatSchema: LooseObject<{
  type: z.ZodLiteral<'cat'>;
}> = /*@__PURE__*/ (() =>
  loose({
    type: z.literal('cat'),
  }))();

export const DogSchema: LooseObject<{
  type: z.ZodLiteral<'dog'>;
}> = /*@__PURE__*/ (() =>
  loose({
    type: z.literal('dog'),
  }))();

export const PetSchema: z.ZodDiscriminatedUnion<
  [typeof CatSchema, typeof DogSchema],
  'type'
> = /*@__PURE__*/ (() => made(discriminated('type', [CatSchema, DogSchema])))();

export const AliasSchema: typeof PetSchema = /*@__PURE__*/ (() => PetSchema)();

/**
 * Whatever.
 */
export const AnythingSchema: z.ZodUnknown = /*@__PURE__*/ (() => z.unknown())();

export const BareSchema: LooseObject<{}> = /*@__PURE__*/ (() => loose({}))();

export const BetweenSchema: z.ZodNumber = /*@__PURE__*/ (() =>
  z.number().gt(0).lt(1).refine((value) => multiple(value, 0.25), 'Invalid number: must be a multiple of 0.25'))();

export const BlankSchema: z.ZodString = /*@__PURE__*/ (() =>
  z.string().refine((text) => characters(text) <= 0, 'Invalid input: expected <= 0 characters'))();

/**
 * A tree.
 *
 * It ends with *\/ and `${more}`.
 */
export const TreeSchema: LooseObject<{
  label: z.ZodString;
  'data-x': z.ZodExactOptional<z.ZodString>;
  children: z.ZodExactOptional<z.ZodArray<Lazy<types.Tree, { schema: typeof TreeSchema }>>>;
}> = /*@__PURE__*/ (() =>
  loose({
    label: z.string(),
    'data-x': z.exactOptional(z.string()),
    children: z.exactOptional(z.array(z.lazy((): z.core.SomeType => TreeSchema))),
  }))();

export const BothSchema: LooseObject<{
  label: z.ZodString;
  'data-x': z.ZodExactOptional<z.ZodString>;
  children: z.ZodExactOptional<z.ZodArray<typeof TreeSchema>>;
  type: z.ZodLiteral<'cat'>;
}> = /*@__PURE__*/ (() =>
  loose({
    label: z.string(),
    'data-x': z.exactOptional(z.string()),
    children: z.exactOptional(z.array(TreeSchema)),
    type: z.literal('cat'),
  }))();

export const BusyErrorSchema: LooseObject<{
  code: z.ZodLiteral<-32099>;
}> = /*@__PURE__*/ (() =>
  loose({
    code: z.literal(-32099),
  }))();

export const BytesSchema: z.ZodString = /*@__PURE__*/ (() =>
  z.string().refine(matchesByte, 'Invalid input: expected format byte'))();

export const CallRequestSchema: LooseObject<{
  jsonrpc: z.ZodExactOptional<z.ZodLiteral<'2.0'>>;
  method: z.ZodLiteral<'things/call'>;
  params: typeof TreeSchema;
}> = /*@__PURE__*/ (() =>
  loose({
    jsonrpc: z.exactOptional(z.literal('2.0')),
    method: z.literal('things/call'),
    params: TreeSchema,
  }))();

export const CallResultSchema: LooseObject<{
  'io.modelcontextprotocol/x': z.ZodExactOptional<z.ZodUnknown>;
}> = /*@__PURE__*/ (() =>
  loose({
    'io.modelcontextprotocol/x': z.exactOptional(z.unknown()),
  }))();

export const ChangedNotificationSchema: LooseObject<{
  method: z.ZodLiteral<'notifications/things/list_changed'>;
}> = /*@__PURE__*/ (() =>
  loose({
    method: z.literal('notifications/things/list_changed'),
  }))();

export const ClientRequestSchema: typeof CallRequestSchema = /*@__PURE__*/ (() =>
  CallRequestSchema)();

export const ClosedSchema: StrictObject<{
  a: z.ZodExactOptional<z.ZodString>;
}> = /*@__PURE__*/ (() =>
  strict({
    a: z.exactOptional(z.string()),
  }))();

export const CountSchema: z.ZodNumber = /*@__PURE__*/ (() => integer().gte(0).lte(10))();

export const CountsSchema: RecordObject<typeof CountSchema, {}> = /*@__PURE__*/ (() =>
  record(CountSchema, {}))();

export const DozensSchema: z.ZodNumber = /*@__PURE__*/ (() =>
  integer().refine((value) => multiple(value, 12), 'Invalid number: must be a multiple of 12'))();

export const EitherSchema: z.ZodCustom<types.Either, types.Either> =
  /*@__PURE__*/ checked<types.Either>(validateEither);

export const EmptySchema: z.ZodNull = /*@__PURE__*/ (() => z.null())();

export const FixedSchema: z.ZodCustom<types.Fixed, types.Fixed> =
  /*@__PURE__*/ checked<types.Fixed>(validateFixed);

export const FlagSchema: z.ZodBoolean = /*@__PURE__*/ (() => z.boolean())();

export const IdSchema: z.ZodUnion<[z.ZodString, z.ZodNumber]> = /*@__PURE__*/ (() =>
  made(z.union([z.string(), integer()])))();

export const InheritedSchema: Typed<AnyObject, types.Inherited> = /*@__PURE__*/ (() =>
  guarded(loose({}), validateInherited))();

export const KeyedSchema: Typed<
  LooseObject<{
    own: z.ZodString;
    xy: z.ZodUnknown;
  }>,
  types.Keyed
> = /*@__PURE__*/ (() =>
  guarded(
    loose({
      own: z.string(),
      xy: z.unknown(),
    }),
    validateKeyed,
  ))();

export const LetterSchema: z.ZodEnum<{
  a: 'a';
  b: 'b';
  c: 'c';
  d: 'd';
  e: 'e';
  f: 'f';
  g: 'g';
  h: 'h';
  i: 'i';
}> = /*@__PURE__*/ z.enum(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);

export const LevelSchema: z.ZodEnum<{ high: 'high'; low: 'low' }> = /*@__PURE__*/ z.enum([
  'high',
  'low',
]);

export const LinkSchema: z.ZodString = /*@__PURE__*/ (() =>
  z.string().refine(matchesUri, 'Invalid input: expected format uri'))();

export const ListedSchema: z.ZodCustom<types.Listed, types.Listed> =
  /*@__PURE__*/ checked<types.Listed>(validateListed);

export const MixedSchema: z.ZodLiteral<'a' | 1 | true | null> = /*@__PURE__*/ z.literal([
  'a',
  1,
  true,
  null,
]);

export const NameSchema: z.ZodString = /*@__PURE__*/ (() =>
  z
    .string()
    .regex(/*@__PURE__*/ new RegExp('^[a-z]+$', 'u'))
    .refine((text) => characters(text) >= 1, 'Invalid input: expected >= 1 characters')
    .refine((text) => characters(text) <= 8, 'Invalid input: expected <= 8 characters'))();

export const NameOrCatSchema: z.ZodUnion<
  [typeof NameSchema, typeof CatSchema]
> = /*@__PURE__*/ (() => made(union([NameSchema, CatSchema])))();

export const NamedPetSchema: Typed<
  z.ZodDiscriminatedUnion<
    [
      LooseObject<{
        type: z.ZodLiteral<'cat'>;
        label: z.ZodString;
        'data-x': z.ZodExactOptional<z.ZodString>;
        children: z.ZodExactOptional<z.ZodArray<typeof TreeSchema>>;
      }>,
      LooseObject<{
        type: z.ZodLiteral<'dog'>;
        label: z.ZodString;
        'data-x': z.ZodExactOptional<z.ZodString>;
        children: z.ZodExactOptional<z.ZodArray<typeof TreeSchema>>;
      }>,
    ],
    'type'
  >,
  types.NamedPet
> = /*@__PURE__*/ (() =>
  made(
    discriminated('type', [
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

export const NamesSchema: z.ZodArray<typeof NameSchema> = /*@__PURE__*/ (() =>
  made(z.array(NameSchema).check(atLeast(1), atMost(3))))();

export const NothingSchema: z.ZodNever = /*@__PURE__*/ (() => z.never())();

export const NumberSchema: z.ZodLiteral<
  | 0
  | 1
  | 2
  | 3
  | 4
  | 5
  | 6
  | 7
  | 8
  | 9
  | 10
  | 11
  | 12
  | 13
  | 14
  | 15
  | 16
  | 17
  | 18
  | 19
  | 20
  | 21
  | 22
  | 23
  | 24
  | 25
  | 26
  | 27
  | 28
  | 29
  | 30
> = /*@__PURE__*/ z.literal([
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

export const ObjectSchema: AnyObject = /*@__PURE__*/ (() => loose({}))();

export const OldSchema: z.ZodString = /*@__PURE__*/ (() => z.string())();

export const OnlySchema: z.ZodUnion<
  [
    LooseObject<{
      a: z.ZodString;
    }>,
    LooseObject<{
      b: z.ZodString;
    }>,
  ]
> = /*@__PURE__*/ (() =>
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

export const OnlyPetSchema: z.ZodUnion<
  [typeof CatSchema, typeof DogSchema, z.ZodNull]
> = /*@__PURE__*/ (() => made(union([CatSchema, DogSchema, z.null()])))();

export const OpenSchema: LooseObject<{
  a: z.ZodExactOptional<z.ZodString>;
}> = /*@__PURE__*/ (() =>
  loose({
    a: z.exactOptional(z.string()),
  }))();

export const PairSchema: Typed<z.ZodArray<z.ZodUnknown>, types.Pair> = /*@__PURE__*/ (() =>
  guarded(z.array(z.unknown()).check(atLeast(1)), validatePair))();

export const PresentSchema: LooseObject<{
  anything: z.ZodUnknown;
}> = /*@__PURE__*/ (() =>
  loose({
    anything: z.unknown(),
  }))();

export const RatioSchema: z.ZodNumber = /*@__PURE__*/ (() => z.number())();

export const RestSchema: Typed<
  LooseObject<{
    a: z.ZodExactOptional<z.ZodString>;
    type: z.ZodLiteral<'cat'>;
  }>,
  types.Rest
> = /*@__PURE__*/ (() =>
  guarded(
    loose({
      a: z.exactOptional(z.string()),
      type: z.literal('cat'),
    }),
    validateRest,
  ))();

export const RestItemsSchema: Typed<
  z.ZodArray<z.ZodUnknown>,
  types.RestItems
> = /*@__PURE__*/ (() => guarded(z.array(z.unknown()), validateRestItems))();

export const RowSchema: Typed<z.ZodArray<z.ZodUnknown>, types.Row> = /*@__PURE__*/ (() =>
  guarded(z.array(z.unknown()), validateRow))();

export const SafeSchema: z.ZodString = /*@__PURE__*/ (() =>
  z
    .string()
    .refine(/*@__PURE__*/ linear([/a/u, /b/u, /c/u, /d/u, /\d/u], ['^', { part: { or: [0, 1, [{ ahead: 2 }, 2, { part: 3, min: 0, max: 1 }]] }, min: 1 }, { behind: 0, not: true }, { part: 4, min: 2, max: 3 }, '$']).test, 'Invalid string: must match pattern ^(?:a|b|(?=c)cd?)+(?<!a)\\d{2,3}$'))();

export const ServerCapabilitiesSchema: LooseObject<{
  things: z.ZodExactOptional<
    LooseObject<{
      listChanged: z.ZodExactOptional<z.ZodBoolean>;
    }>
  >;
}> = /*@__PURE__*/ (() =>
  loose({
    things: z.exactOptional(
      loose({
        listChanged: z.exactOptional(z.boolean()),
      }),
    ),
  }))();

export const ServerNotificationSchema: typeof ChangedNotificationSchema = /*@__PURE__*/ (() =>
  ChangedNotificationSchema)();

export const SizedSchema: LooseObject<{}> = /*@__PURE__*/ (() =>
  guarded(loose({}), validateSized))();

export const SomeSchema: z.ZodArray<z.ZodUnknown> = /*@__PURE__*/ (() =>
  guarded(z.array(z.unknown()), validateSome))();

export const TemplateSchema: z.ZodString = /*@__PURE__*/ (() =>
  z.string().refine(matchesUriTemplate, 'Invalid input: expected format uri-template'))();

export const UnlikeSchema: z.ZodCustom<types.Unlike, types.Unlike> =
  /*@__PURE__*/ checked<types.Unlike>(validateUnlike);

export const WideSchema: LooseObject<{
  p0: z.ZodString;
  p1: z.ZodExactOptional<z.ZodString>;
  p2: z.ZodExactOptional<z.ZodString>;
  p3: z.ZodExactOptional<z.ZodString>;
  p4: z.ZodExactOptional<z.ZodString>;
  p5: z.ZodExactOptional<z.ZodString>;
  p6: z.ZodExactOptional<z.ZodString>;
  p7: z.ZodExactOptional<z.ZodString>;
  p8: z.ZodExactOptional<z.ZodString>;
  p9: z.ZodExactOptional<z.ZodString>;
  p10: z.ZodExactOptional<z.ZodString>;
  p11: z.ZodExactOptional<z.ZodString>;
  p12: z.ZodExactOptional<z.ZodString>;
}> = /*@__PURE__*/ (() =>
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

export const WidesSchema: z.ZodArray<
  LooseObject<{
    q0: z.ZodExactOptional<z.ZodNumber>;
    q1: z.ZodExactOptional<z.ZodNumber>;
    q2: z.ZodExactOptional<z.ZodNumber>;
    q3: z.ZodExactOptional<z.ZodNumber>;
    q4: z.ZodExactOptional<z.ZodNumber>;
    q5: z.ZodExactOptional<z.ZodNumber>;
    q6: z.ZodExactOptional<z.ZodNumber>;
  }>
> = /*@__PURE__*/ (() =>
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
