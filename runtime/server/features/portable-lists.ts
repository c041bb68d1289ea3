import { portable } from '../../schemas/portable.js';
import type { ServerTool } from '../tool.js';

/** The tool, whose lists show portable schemas. Those that check its arguments and results stay. */
export function listedPortably(tool: ServerTool): ServerTool {
  const { listing, extListing } = tool;
  return { ...tool, listing: changed(listing), extListing: changed(extListing) };
}

function changed<T extends ServerTool['listing'] | ServerTool['extListing']>(listing: T): T {
  const { inputSchema, outputSchema } = listing;
  return {
    ...listing,
    inputSchema: portable(inputSchema),
    ...(outputSchema && { outputSchema: portable(outputSchema) }),
  };
}
