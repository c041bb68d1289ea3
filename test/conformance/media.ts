/** The smallest valid picture and sound: one black pixel, one silent sample. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

export const SILENCE = 'UklGRiUAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQEAAACA';

export const image = { type: 'image', data: PIXEL, mimeType: 'image/png' } as const;
export const audio = { type: 'audio', data: SILENCE, mimeType: 'audio/wav' } as const;
