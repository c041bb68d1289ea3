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

export const EmptySchema: StandardDefinition<types.Empty> = /*@__PURE__*/ standard(
  'Empty',
  validators.validateEmpty,
  { type: 'null' },
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

export const ObjectSchema: StandardDefinition<types.Object> = /*@__PURE__*/ standard(
  'Object',
  validators.validateObject,
  { type: 'object', properties: {} },
);

export const OpenSchema: StandardDefinition<types.Open> = /*@__PURE__*/ standard(
  'Open',
  validators.validateOpen,
  { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: {} },
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
