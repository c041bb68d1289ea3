/**
 * Generating from a program instead of the command line:
 *
 * ```ts
 * import { applyPlan, diskFolder, generate } from 'mcp-codegen';
 *
 * const folder = diskFolder('src/mcp');
 * const { plan, diagnostics } = await generate({
 *   inputs: [{ revision: '2025-11-25' }, { location: './schema.json', name: 'mine' }],
 *   emits: ['types', 'zod'],
 *   errata: true,
 *   folder,
 *   force: false,
 *   prune: false,
 * });
 * applyPlan(plan, folder);
 * ```
 */
export { DIAGNOSTICS, DiagnosticError } from './diagnostics/index.js';
export type { Diagnostic, DiagnosticCode } from './diagnostics/index.js';
export { diffProtocols } from './diff/index.js';
export type { ProtocolDiff } from './diff/index.js';
export { DEFAULT_EMITS, EMITS, metamodelOf } from './emit/index.js';
export type { Emit, Metamodel } from './emit/index.js';
export type { Protocol } from './ir/index.js';
export { REVISIONS } from './read/load/index.js';
export type { Ref, Revision } from './read/load/index.js';
export { generate } from './plan/generate.js';
export type {
  GeneratedProtocol,
  GenerationRequest,
  GenerationResult,
  Input,
  SchemaInput,
  ToolsInput,
} from './plan/generate.js';
export { readProtocol } from './protocol/protocol.js';
export type { ReadProtocol } from './protocol/protocol.js';
export {
  applyPlan,
  ConflictError,
  conflictsOf,
  diskFolder,
  memoryFolder,
  staleFiles,
} from './write/index.js';
export type { Folder, Plan, Step } from './write/index.js';
