import type { ContentBlock } from '../../runtime/client/index.js';
import { matchesBase64 } from '../../generated/support/byte.js';
import { saveReceivedFile } from '../../runtime/client/node/index.js';
import type { ReceivedFile } from '../../runtime/client/node/index.js';
import type { CommandResult } from './outcome.js';
import type { CommandContext } from './session.js';
import { encodedIn, line } from './text.js';

/** The files of a result that were saved, and those that could not be. */
export interface Saved {
  /** By the blocks. */
  readonly paths: ReadonlyMap<object, string>;
  readonly end: CommandResult['end'];
}

/** Saves the images, audio and files among some blocks, if there is a folder. A result is shown in any case. */
export async function savedContent(
  blocks: readonly ContentBlock[],
  name: string,
  { io, settings: { save: folder } }: Pick<CommandContext, 'io' | 'settings'>,
): Promise<Saved> {
  const paths = new Map<object, string>();
  let end: CommandResult['end'] = 'done';
  if (folder === undefined) return { paths, end };
  // One after the other, so that files of the same name are numbered in their order.
  for (const block of blocks) {
    const file = fileOf(block, name);
    if (!file) continue;
    try {
      if (file === NO_BASE64) throw new Error('its data is not base64');
      paths.set(block, await saveReceivedFile(folder, file));
    } catch (error) {
      const { message } = error as Error;
      const shown = file === NO_BASE64 ? `${block.type} of ${name}` : file.name;
      io.err.write(`Cannot save ${line(shown)} in ${folder}: ${line(message, 500)}\n`);
      end = file === NO_BASE64 ? 'invalid' : end === 'invalid' ? end : 'unsaved';
    }
  }
  return { paths, end };
}

/** Data of the server that is nothing to save. */
const NO_BASE64 = 'no base64';

function fileOf(block: ContentBlock, name: string): ReceivedFile | typeof NO_BASE64 | undefined {
  const encoded = encodedIn(block);
  if (encoded !== undefined && !matchesBase64(encoded)) return NO_BASE64;
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
