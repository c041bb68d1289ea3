export type {
  CallAnswer,
  CallParams,
  DialectModule,
  DialectParts,
  Questioned,
  TaskDialect,
  ToolCallRequest,
} from './dialect.js';
