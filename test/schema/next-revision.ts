import { readFileSync } from 'node:fs';
import { repository } from './bundled.js';

/** An invented revision, made from the newest one. */
export const NEXT = '2027-01-01';

/** An invented version of the tasks extension, made from its draft. */
export const NEXT_EXTENSION = 'ext-tasks-2027';

/** Text of the official file, which no file of ours may contain. */
export const THEIRS = 'Official text that is not ours.';

/** A longer name of a tool is invalid in the next revision, and valid in the one before. */
export const LONGEST_NAME = 64;

/** The parts of schemas that are changed below. */
interface Schema {
  type?: unknown;
  const?: unknown;
  maxLength?: number;
  description?: string;
  $ref?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}

/** An official file of the next revision: a method, a capability and properties more, a limit, and a capability less. */
export function nextRevision(base: string): string {
  const schema = officialFile(base);
  const { $defs } = schema;
  const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
  const propertiesOf = (name: string): Record<string, Schema> => $defs[name]?.properties ?? {};
  const copyOf = (name: string): Schema => structuredClone($defs[name] ?? {});
  propertiesOf('Tool')['category'] = { type: 'string', description: THEIRS };
  propertiesOf('CallToolRequestParams')['name'] = { type: 'string', maxLength: LONGEST_NAME };
  propertiesOf('ServerCapabilities')['gadgets'] = { ...ref('JSONObject'), description: THEIRS };
  delete propertiesOf('ServerCapabilities')['completions'];
  $defs['SearchGadgetsRequest'] = copyOf('ListToolsRequest');
  propertiesOf('SearchGadgetsRequest')['method'] = { type: 'string', const: 'gadgets/search' };
  $defs['SearchGadgetsResult'] = copyOf('ListToolsResult');
  propertiesOf('SearchGadgetsResult')['gadgets'] = { type: 'array', items: ref('Gadget') };
  $defs['Gadget'] = { type: 'object', properties: { zeal: { type: 'boolean' } } };
  $defs['ClientRequest']?.anyOf?.push(ref('SearchGadgetsRequest'));
  $defs['ServerResult']?.anyOf?.push(ref('SearchGadgetsResult'));
  // As the correction of the bundled schema says, so that it finds nothing to correct.
  const scalars = $defs['JSONValue']?.anyOf?.find(({ type }) => Array.isArray(type));
  if (scalars) scalars.type = ['string', 'number', 'boolean', 'null'];
  return `${JSON.stringify(schema, null, 4)}\n`;
}

/** An official file of a version of the extension: a property more. */
export function nextExtension(base: string): string {
  const schema = officialFile(base);
  Object.assign(schema.$defs['Task']?.properties ?? {}, { urgency: { type: 'integer' } });
  return JSON.stringify(schema);
}

function officialFile(base: string): { $defs: Record<string, Schema> } {
  const text = readFileSync(`${repository}schema/${base}/schema.json`, 'utf8');
  return JSON.parse(text, (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? THEIRS : value,
  ) as { $defs: Record<string, Schema> };
}
