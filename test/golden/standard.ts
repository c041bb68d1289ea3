import { standard } from '../../generator/emit/support/standard.js';
import type { StandardDefinition } from '../../generator/emit/support/standard.js';
import type * as types from './types.js';
import * as validators from './validators.js';

export const AliasSchema: StandardDefinition<types.Alias> = /*@__PURE__*/ standard(
  'Alias',
  validators.validateAlias,
  { $ref: '#/$defs/Pet' },
  () => [PetSchema],
);

export const AnythingSchema: StandardDefinition<types.Anything> = /*@__PURE__*/ standard(
  'Anything',
  validators.validateAnything,
  { description: 'Whatever.' },
);

export const BareSchema: StandardDefinition<types.Bare> = /*@__PURE__*/ standard(
  'Bare',
  validators.validateBare,
  { type: 'object' },
);

export const BetweenSchema: StandardDefinition<types.Between> = /*@__PURE__*/ standard(
  'Between',
  validators.validateBetween,
  { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.25 },
);

export const BlankSchema: StandardDefinition<types.Blank> = /*@__PURE__*/ standard(
  'Blank',
  validators.validateBlank,
  { type: 'string', maxLength: 0 },
);

export const BothSchema: StandardDefinition<types.Both> = /*@__PURE__*/ standard(
  'Both',
  validators.validateBoth,
  { allOf: [{ $ref: '#/$defs/Tree' }, { $ref: '#/$defs/Cat' }] },
  () => [CatSchema, TreeSchema],
);

export const BusyErrorSchema: StandardDefinition<types.BusyError> = /*@__PURE__*/ standard(
  'BusyError',
  validators.validateBusyError,
  { type: 'object', properties: { code: { const: -32099 } }, required: ['code'] },
);

export const BytesSchema: StandardDefinition<types.Bytes> = /*@__PURE__*/ standard(
  'Bytes',
  validators.validateBytes,
  { type: 'string', format: 'byte' },
);

export const CallRequestSchema: StandardDefinition<types.CallRequest> = /*@__PURE__*/ standard(
  'CallRequest',
  validators.validateCallRequest,
  {
    type: 'object',
    properties: {
      jsonrpc: { const: '2.0' },
      method: { const: 'things/call' },
      params: { $ref: '#/$defs/Tree' },
    },
    required: ['method', 'params'],
  },
  () => [TreeSchema],
);

export const CallResultSchema: StandardDefinition<types.CallResult> = /*@__PURE__*/ standard(
  'CallResult',
  validators.validateCallResult,
  { type: 'object', properties: { 'io.modelcontextprotocol/x': {} } },
);

export const CatSchema: StandardDefinition<types.Cat> = /*@__PURE__*/ standard(
  'Cat',
  validators.validateCat,
  { type: 'object', properties: { type: { const: 'cat' } }, required: ['type'] },
);

export const ChangedNotificationSchema: StandardDefinition<types.ChangedNotification> =
  /*@__PURE__*/ standard(
    'ChangedNotification',
    validators.validateChangedNotification,
    {
      type: 'object',
      properties: { method: { const: 'notifications/things/list_changed' } },
      required: ['method'],
    },
  );

export const ClientRequestSchema: StandardDefinition<types.ClientRequest> = /*@__PURE__*/ standard(
  'ClientRequest',
  validators.validateClientRequest,
  { $ref: '#/$defs/CallRequest' },
  () => [CallRequestSchema],
);

export const ClosedSchema: StandardDefinition<types.Closed> = /*@__PURE__*/ standard(
  'Closed',
  validators.validateClosed,
  { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
);

export const CountSchema: StandardDefinition<types.Count> = /*@__PURE__*/ standard(
  'Count',
  validators.validateCount,
  { type: 'integer', minimum: 0, maximum: 10 },
);

export const CountsSchema: StandardDefinition<types.Counts> = /*@__PURE__*/ standard(
  'Counts',
  validators.validateCounts,
  { type: 'object', additionalProperties: { $ref: '#/$defs/Count' } },
  () => [CountSchema],
);

export const DogSchema: StandardDefinition<types.Dog> = /*@__PURE__*/ standard(
  'Dog',
  validators.validateDog,
  { type: 'object', properties: { type: { const: 'dog' } }, required: ['type'] },
);

export const DozensSchema: StandardDefinition<types.Dozens> = /*@__PURE__*/ standard(
  'Dozens',
  validators.validateDozens,
  { type: 'integer', multipleOf: 12 },
);

export const EitherSchema: StandardDefinition<types.Either> = /*@__PURE__*/ standard(
  'Either',
  validators.validateEither,
  {
    if: {
      anyOf: [
        { type: 'null' },
        { type: 'boolean' },
        { type: 'object', required: ['a'] },
        { type: 'array' },
        { type: 'number' },
        { type: 'string' },
      ],
    },
    then: {
      anyOf: [
        { type: 'null' },
        { type: 'boolean' },
        { type: 'object', properties: { a: { type: 'string' } } },
        { type: 'array' },
        { type: 'number' },
        { type: 'string' },
      ],
    },
    else: { type: 'string', format: 'date' },
  },
);

export const EmptySchema: StandardDefinition<types.Empty> = /*@__PURE__*/ standard(
  'Empty',
  validators.validateEmpty,
  { type: 'null' },
);

export const FixedSchema: StandardDefinition<types.Fixed> = /*@__PURE__*/ standard(
  'Fixed',
  validators.validateFixed,
  { const: { a: [1, 'x'], "it's": null } },
);

export const FlagSchema: StandardDefinition<types.Flag> = /*@__PURE__*/ standard(
  'Flag',
  validators.validateFlag,
  { type: 'boolean' },
);

export const IdSchema: StandardDefinition<types.Id> = /*@__PURE__*/ standard(
  'Id',
  validators.validateId,
  { anyOf: [{ type: 'string' }, { type: 'integer' }] },
);

export const InheritedSchema: StandardDefinition<types.Inherited> = /*@__PURE__*/ standard(
  'Inherited',
  validators.validateInherited,
  {
    type: 'object',
    properties: { toString: { type: 'string' }, valueOf: {} },
    required: ['constructor'],
  },
);

export const KeyedSchema: StandardDefinition<types.Keyed> = /*@__PURE__*/ standard(
  'Keyed',
  validators.validateKeyed,
  {
    type: 'object',
    properties: { own: { type: 'string' } },
    required: ['own', 'xy'],
    patternProperties: { '^x': { type: 'number' }, '^y': {} },
    additionalProperties: false,
    propertyNames: { type: 'string', maxLength: 3 },
  },
);

export const LetterSchema: StandardDefinition<types.Letter> = /*@__PURE__*/ standard(
  'Letter',
  validators.validateLetter,
  { enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'] },
);

export const LevelSchema: StandardDefinition<types.Level> = /*@__PURE__*/ standard(
  'Level',
  validators.validateLevel,
  { enum: ['high', 'low'] },
);

export const LinkSchema: StandardDefinition<types.Link> = /*@__PURE__*/ standard(
  'Link',
  validators.validateLink,
  { type: 'string', format: 'uri' },
);

export const ListedSchema: StandardDefinition<types.Listed> = /*@__PURE__*/ standard(
  'Listed',
  validators.validateListed,
  { anyOf: [{ const: 'none' }, { const: { a: 1 } }, { const: [] }] },
);

export const MixedSchema: StandardDefinition<types.Mixed> = /*@__PURE__*/ standard(
  'Mixed',
  validators.validateMixed,
  { enum: ['a', 1, true, null] },
);

export const NameSchema: StandardDefinition<types.Name> = /*@__PURE__*/ standard(
  'Name',
  validators.validateName,
  { type: 'string', pattern: '^[a-z]+$', minLength: 1, maxLength: 8 },
);

export const NameOrCatSchema: StandardDefinition<types.NameOrCat> = /*@__PURE__*/ standard(
  'NameOrCat',
  validators.validateNameOrCat,
  { anyOf: [{ $ref: '#/$defs/Name' }, { $ref: '#/$defs/Cat' }] },
  () => [CatSchema, NameSchema],
);

export const NamedPetSchema: StandardDefinition<types.NamedPet> = /*@__PURE__*/ standard(
  'NamedPet',
  validators.validateNamedPet,
  { allOf: [{ $ref: '#/$defs/Pet' }, { $ref: '#/$defs/Tree' }] },
  () => [PetSchema, TreeSchema],
);

export const NamesSchema: StandardDefinition<types.Names> = /*@__PURE__*/ standard(
  'Names',
  validators.validateNames,
  { type: 'array', items: { $ref: '#/$defs/Name' }, minItems: 1, maxItems: 3 },
  () => [NameSchema],
);

export const NothingSchema: StandardDefinition<types.Nothing> = /*@__PURE__*/ standard(
  'Nothing',
  validators.validateNothing,
  { not: {} },
);

export const NumberSchema: StandardDefinition<types.Number> = /*@__PURE__*/ standard(
  'Number',
  validators.validateNumber,
  {
    enum: [
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
    ],
  },
);

export const ObjectSchema: StandardDefinition<types.Object> = /*@__PURE__*/ standard(
  'Object',
  validators.validateObject,
  { type: 'object', properties: {} },
);

export const OldSchema: StandardDefinition<types.Old> = /*@__PURE__*/ standard(
  'Old',
  validators.validateOld,
  { type: 'string', default: 'x', deprecated: true },
);

export const OnlySchema: StandardDefinition<types.Only> = /*@__PURE__*/ standard(
  'Only',
  validators.validateOnly,
  {
    oneOf: [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
    ],
  },
);

export const OnlyPetSchema: StandardDefinition<types.OnlyPet> = /*@__PURE__*/ standard(
  'OnlyPet',
  validators.validateOnlyPet,
  { oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }, { type: 'null' }] },
  () => [CatSchema, DogSchema],
);

export const OpenSchema: StandardDefinition<types.Open> = /*@__PURE__*/ standard(
  'Open',
  validators.validateOpen,
  { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: {} },
);

export const PairSchema: StandardDefinition<types.Pair> = /*@__PURE__*/ standard(
  'Pair',
  validators.validatePair,
  {
    type: 'array',
    prefixItems: [{ type: 'string' }, { $ref: '#/$defs/Fixed' }],
    items: { not: {} },
    minItems: 1,
  },
  () => [FixedSchema],
);

export const PetSchema: StandardDefinition<types.Pet> = /*@__PURE__*/ standard(
  'Pet',
  validators.validatePet,
  { anyOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }] },
  () => [CatSchema, DogSchema],
);

export const PresentSchema: StandardDefinition<types.Present> = /*@__PURE__*/ standard(
  'Present',
  validators.validatePresent,
  { type: 'object', required: ['anything'] },
);

export const RatioSchema: StandardDefinition<types.Ratio> = /*@__PURE__*/ standard(
  'Ratio',
  validators.validateRatio,
  { type: 'number' },
);

export const RestSchema: StandardDefinition<types.Rest> = /*@__PURE__*/ standard(
  'Rest',
  validators.validateRest,
  {
    allOf: [
      {
        allOf: [
          {
            type: 'object',
            properties: { a: { type: 'string' } },
            patternProperties: { '^x': {} },
          },
          {
            anyOf: [
              {
                anyOf: [
                  { type: 'null' },
                  { type: 'boolean' },
                  { type: 'object', properties: { b: {} }, required: ['b'] },
                  { type: 'array' },
                  { type: 'number' },
                  { type: 'string' },
                ],
              },
              {},
            ],
          },
          { $ref: '#/$defs/Cat' },
          {
            if: {
              anyOf: [
                { type: 'null' },
                { type: 'boolean' },
                { type: 'object', required: ['c'] },
                { type: 'array' },
                { type: 'number' },
                { type: 'string' },
              ],
            },
            then: {
              anyOf: [
                { type: 'null' },
                { type: 'boolean' },
                { type: 'object', properties: { c: {} } },
                { type: 'array' },
                { type: 'number' },
                { type: 'string' },
              ],
            },
            else: {},
          },
        ],
      },
    ],
    unevaluatedProperties: { type: 'number' },
  },
  () => [CatSchema],
);

export const RestItemsSchema: StandardDefinition<types.RestItems> = /*@__PURE__*/ standard(
  'RestItems',
  validators.validateRestItems,
  {
    allOf: [{ type: 'array', prefixItems: [{ type: 'string' }], contains: { type: 'number' } }],
    unevaluatedItems: { not: {} },
  },
);

export const RowSchema: StandardDefinition<types.Row> = /*@__PURE__*/ standard(
  'Row',
  validators.validateRow,
  { type: 'array', prefixItems: [{ type: 'string' }, {}], items: { type: 'number' } },
);

export const SafeSchema: StandardDefinition<types.Safe> = /*@__PURE__*/ standard(
  'Safe',
  validators.validateSafe,
  { type: 'string', pattern: '^(?:a|b|(?=c)cd?)+(?<!a)\\d{2,3}$' },
);

export const ServerCapabilitiesSchema: StandardDefinition<types.ServerCapabilities> =
  /*@__PURE__*/ standard(
    'ServerCapabilities',
    validators.validateServerCapabilities,
    {
      type: 'object',
      properties: { things: { type: 'object', properties: { listChanged: { type: 'boolean' } } } },
    },
  );

export const ServerNotificationSchema: StandardDefinition<types.ServerNotification> =
  /*@__PURE__*/ standard(
    'ServerNotification',
    validators.validateServerNotification,
    { $ref: '#/$defs/ChangedNotification' },
    () => [ChangedNotificationSchema],
  );

export const SizedSchema: StandardDefinition<types.Sized> = /*@__PURE__*/ standard(
  'Sized',
  validators.validateSized,
  { type: 'object', minProperties: 1, maxProperties: 2 },
);

export const SomeSchema: StandardDefinition<types.Some> = /*@__PURE__*/ standard(
  'Some',
  validators.validateSome,
  {
    type: 'array',
    uniqueItems: true,
    contains: { type: 'string' },
    minContains: 2,
    maxContains: 3,
  },
);

export const TemplateSchema: StandardDefinition<types.Template> = /*@__PURE__*/ standard(
  'Template',
  validators.validateTemplate,
  { type: 'string', format: 'uri-template' },
);

export const TreeSchema: StandardDefinition<types.Tree> = /*@__PURE__*/ standard(
  'Tree',
  validators.validateTree,
  {
    type: 'object',
    properties: {
      label: { type: 'string', description: 'What it is called.' },
      'data-x': { type: 'string' },
      children: { type: 'array', items: { $ref: '#/$defs/Tree' } },
    },
    required: ['label'],
    description: 'A tree.\n\nIt ends with */ and `${more}`.',
  },
  () => [TreeSchema],
);

export const UnlikeSchema: StandardDefinition<types.Unlike> = /*@__PURE__*/ standard(
  'Unlike',
  validators.validateUnlike,
  { not: { type: 'string', format: 'uri' } },
);

export const WideSchema: StandardDefinition<types.Wide> = /*@__PURE__*/ standard(
  'Wide',
  validators.validateWide,
  {
    type: 'object',
    properties: {
      p0: { type: 'string' },
      p1: { type: 'string' },
      p2: { type: 'string' },
      p3: { type: 'string' },
      p4: { type: 'string' },
      p5: { type: 'string' },
      p6: { type: 'string' },
      p7: { type: 'string' },
      p8: { type: 'string' },
      p9: { type: 'string' },
      p10: { type: 'string' },
      p11: { type: 'string' },
      p12: { type: 'string' },
    },
    required: ['p0'],
  },
);

export const WidesSchema: StandardDefinition<types.Wides> = /*@__PURE__*/ standard(
  'Wides',
  validators.validateWides,
  {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        q0: { type: 'number' },
        q1: { type: 'number' },
        q2: { type: 'number' },
        q3: { type: 'number' },
        q4: { type: 'number' },
        q5: { type: 'number' },
        q6: { type: 'number' },
      },
    },
  },
);

export const WordSchema: StandardDefinition<types.Word> = /*@__PURE__*/ standard(
  'Word',
  validators.validateWord,
  { type: 'string', minLength: 2 },
);
