export type {
  CallParams,
  DialectModule,
  DialectParts,
  Questioned,
  TaskDialect,
  ToolCallRequest,
} from './dialect.js';
