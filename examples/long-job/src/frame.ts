import { setImmediate } from 'node:timers/promises';

/** A picture of the Mandelbrot set, one byte a pixel. */
export interface Frame {
  /** Pixels; the height is two thirds of it. */
  readonly width: number;
  /** How far the picture is magnified. */
  readonly zoom: number;
}

const CENTRE = { x: -0.743_643_887, y: 0.131_825_904 };
const MAX_ITERATIONS = 1_000;

/**
 * Renders a frame as a PGM file. Lets other work of the process run after each row, and stops when the
 * signal is aborted.
 */
export async function renderFrame({ width, zoom }: Frame, signal: AbortSignal): Promise<Buffer> {
  const height = Math.round((width * 2) / 3);
  const pixels = Buffer.alloc(width * height);
  const scale = 3 / (width * zoom);
  for (let row = 0; row < height; row += 1) {
    const y = CENTRE.y + (row - height / 2) * scale;
    for (let column = 0; column < width; column += 1) {
      const x = CENTRE.x + (column - width / 2) * scale;
      pixels[row * width + column] = shadeOf(x, y);
    }
    await setImmediate();
    signal.throwIfAborted();
  }
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
}

function shadeOf(x: number, y: number): number {
  let [a, b] = [0, 0];
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration += 1) {
    const [aa, bb] = [a * a, b * b];
    if (aa + bb > 4) return iteration % 256;
    b = 2 * a * b + y;
    a = aa - bb + x;
  }
  return 0;
}
