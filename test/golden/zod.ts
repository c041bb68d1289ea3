import * as z from 'zod';
import { matchesByte } from '../../generator/emit/support/byte.js';
import { characters } from '../../generator/emit/support/characters.js';
import { matchesUri } from '../../generator/emit/support/uri.js';
import { matchesUriTemplate } from '../../generator/emit/support/uri-template.js';
import { atLeast, atMost, integer, loose, made, record, strict, union } from '../../generator/emit/support/zod.js';
import type { LooseObject, RecordObject, StrictObject, TypedObject } from '../../generator/emit/support/zod.js';
import type * as types from './types.js';

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

export const EmptySchema: z.ZodType<types.Empty> = /*@__PURE__*/ (() => made(z.null()))();

export const FlagSchema: z.ZodBoolean = /*@__PURE__*/ (() => z.boolean())();

export const IdSchema: z.ZodType<types.Id> = /*@__PURE__*/ (() =>
  made(z.union([z.string(), integer()])))();

export const LevelSchema: z.ZodType<types.Level> = /*@__PURE__*/ z.enum(['high', 'low']);

export const LinkSchema: z.ZodString = /*@__PURE__*/ (() =>
  z.string().refine(matchesUri, 'Invalid input: expected format uri'))();

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

export const ObjectSchema: TypedObject<LooseObject<types.Object>, types.Object> =
  /*@__PURE__*/ (() => loose({}))();

export const OpenSchema: LooseObject<types.Open> = /*@__PURE__*/ (() =>
  loose({
    a: z.exactOptional(z.string()),
  }))();

export const PresentSchema: LooseObject<types.Present> = /*@__PURE__*/ (() =>
  loose({
    anything: z.unknown(),
  }))();

export const RatioSchema: z.ZodNumber = /*@__PURE__*/ (() => z.number())();

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

export const TemplateSchema: z.ZodString = /*@__PURE__*/ (() =>
  z.string().refine(matchesUriTemplate, 'Invalid input: expected format uri-template'))();
