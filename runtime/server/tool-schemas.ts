import { mirroredParams } from '../peer/wire/mirrored-headers.js';
import { subjectOf } from './definitions/index.js';
import {
  argumentsRoot,
  type Contract,
  contractOf,
  type Direction,
  resultRoot,
  SchemaFault,
  wrappedSchema,
} from '../schemas/index.js';

type Schema = Record<string, unknown>;

/** Clients leave a tool out that declares something else. */
const MIRRORED =
  'declare x-mcp-header for properties of the type string, integer or boolean, each with a name of its own';

/** The contract of a tool's arguments, and the JSON Schema that is listed. */
export function inputOf(tool: string, schema: unknown): { contract: Contract; listed: Schema } {
  return named(tool, 'input', () => {
    const contract = contractOf(schema, 'input');
    const listed = argumentsRoot(contract.jsonSchema);
    const { fault } = mirroredParams(listed);
    if (fault !== undefined) throw new SchemaFault('', fault, MIRRORED);
    return { contract, listed };
  });
}

export interface OutputContract {
  readonly contract: Contract;
  /** As revisions list it whose results are any JSON. */
  readonly listed: Schema;
  /** As sessions list it. */
  readonly inSessions: Schema;
  /** Whether sessions get results wrapped in an object. */
  readonly isWrapped: boolean;
}

/** The contract of a tool's results. */
export function outputOf(tool: string, schema: unknown): OutputContract {
  return named(tool, 'output', () => {
    const contract = contractOf(schema, 'output');
    const root = resultRoot(contract.jsonSchema);
    if (root !== undefined) return { contract, listed: root, inSessions: root, isWrapped: false };
    const listed = contract.jsonSchema;
    return { contract, listed, inSessions: wrappedSchema(listed), isWrapped: true };
  });
}

/** Loads what the checks of a tool's schema need. */
export async function load(tool: string, key: Direction, contract: Contract): Promise<void> {
  await contract.load().catch((error: unknown) => {
    throw inTool(tool, key, error);
  });
}

function named<T>(tool: string, key: Direction, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw inTool(tool, key, error);
  }
}

/** For a fault of a schema, a TypeError that names the tool, the place in its schema and the mend. */
function inTool(tool: string, key: Direction, error: unknown): unknown {
  if (!(error instanceof SchemaFault)) return error;
  return error.of(`${subjectOf('Tool', tool)}: \`${key}\` cannot be sent to clients`);
}
