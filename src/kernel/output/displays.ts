// What a cell showed besides text.
import { counted, grouped } from '#base/text.ts';
import type { ShownImage } from '#kernel/types.ts';
import type { Bundle } from '#kernel/backends/backend.ts';

export type Display = { data: Bundle; id: string | undefined; updates: number };

/** In order of preference. */
const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
/** Most bytes of one image, and most images, in an answer. */
const imageBytes = 2 * 1024 * 1024;
const mostImages = 5;

const text = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.join('') : JSON.stringify(value, undefined, 1);

/** The data of one type as text: base64 where it is binary. */
export const dataText = (data: Bundle, mime: string): string | undefined =>
  data[mime] === undefined ? undefined : text(data[mime]);

export const plainText = (data: Bundle): string => dataText(data, 'text/plain') ?? '';

const imageOf = ({ data }: Display): ShownImage | undefined => {
  const mime = imageTypes.find((type) => data[type] !== undefined);
  return mime && { mime, data: text(data[mime]).replaceAll(/\s/g, '') };
};

const bytesOf = (image: ShownImage): number => Buffer.byteLength(image.data, 'base64');

/** What a line of text says of a display whose data are more than text. */
export const displayNote = (display: Display, ordinal: number): string | undefined => {
  const image = imageOf(display);
  if (image) return `[display ${ordinal}: ${image.mime}, ${counted(bytesOf(image), 'byte')}]`;
  const others = Object.keys(display.data).filter((type) => type !== 'text/plain');
  if (others.length === 0 || display.data['text/plain'] !== undefined) return undefined;
  return `[display ${ordinal}: ${others.join(', ')}; read_python_output {"stream":"display","mime":"${others[0]}"}]`;
};

/** The images of a cell within the limits of one answer, and a line for each that is over them. */
export const imagesOf = (displays: readonly Display[]): { images: ShownImage[]; notes: string[] } => {
  const images: ShownImage[] = [];
  const notes: string[] = [];
  for (const [n, display] of displays.entries()) {
    const image = imageOf(display);
    if (image === undefined) continue;
    const where = `display ${n + 1} (${image.mime}, ${counted(bytesOf(image), 'byte')})`;
    if (bytesOf(image) > imageBytes) notes.push(`${where} is not shown: over ${grouped(imageBytes)} bytes`);
    else if (images.length === mostImages) notes.push(`${where} is not shown: over ${mostImages} images`);
    else images.push(image);
  }
  return { images, notes };
};
