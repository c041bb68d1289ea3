import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineTool } from '@mcp-codegen/runtime/server';
import * as z from 'zod';
import { renderFrame } from './frame.js';

/** Zoom between a frame and the next. */
const ZOOM_STEP = 1.05;

/**
 * A tool that runs for minutes. Each frame is a step: after a crash the task continues with the first
 * frame that has no recorded step.
 *
 * @param films A folder; each task gets a folder in it.
 */
export const renderFilm = (films: string) =>
  defineTool({
    name: 'render-film',
    description: 'Renders a film that zooms into the Mandelbrot set, a picture a frame.',
    input: z.object({
      frames: z.int().min(1).max(900),
      width: z.int().min(16).max(1_920).default(600),
    }),
    output: z.object({ folder: z.string(), frames: z.int(), bytes: z.int() }),
    taskSupport: 'required',
    steps: true,
    async run({ args: { frames, width }, task }) {
      const folder = join(films, task.id);
      await mkdir(folder, { recursive: true });
      let bytes = 0;
      for (let frame = 1; frame <= frames; frame += 1) {
        bytes += await task.step(`frame-${frame}`, async () => {
          const picture = await renderFrame({ width, zoom: ZOOM_STEP ** frame }, task.signal);
          const file = join(folder, `${String(frame).padStart(3, '0')}.pgm`);
          // A step can run twice, so it leaves a whole file or none.
          await writeFile(`${file}.part`, picture);
          await rename(`${file}.part`, file);
          console.error(`Rendered frame ${frame}`);
          return picture.length;
        });
        task.progress({ progress: frame, total: frames, message: `Frame ${frame} of ${frames}` });
      }
      return { folder, frames, bytes };
    },
  });
