import type { ContentBlock } from '@modelcontextprotocol/client';
import { saveReceivedFile } from '@mcp-codegen/runtime/client/node';
import type { ReceivedFile } from '@mcp-codegen/runtime/client/node';

/** Saves the images, audio and files among some blocks, if there is a folder. Resolves with their paths. */
export async function savedContent(
  blocks: readonly ContentBlock[],
  name: string,
  folder: string | undefined,
): Promise<ReadonlyMap<ContentBlock, string>> {
  const paths = new Map<ContentBlock, string>();
  if (folder === undefined) return paths;
  // One after the other, so that files of the same name are numbered in their order.
  for (const block of blocks) {
    const file = fileOf(block, name);
    if (file) paths.set(block, await saveReceivedFile(folder, file));
  }
  return paths;
}

function fileOf(block: ContentBlock, name: string): ReceivedFile | undefined {
  switch (block.type) {
    case 'image':
    case 'audio':
      return { name, mimeType: block.mimeType, data: Buffer.from(block.data, 'base64') };
    case 'resource': {
      const { resource } = block;
      const { uri, mimeType } = resource;
      const data =
        'blob' in resource ? Buffer.from(resource.blob, 'base64') : Buffer.from(resource.text);
      return { name: uri, mimeType, data };
    }
    default:
      return undefined;
  }
}
