// A page of what one cell put out, of whichever stream and form.
import type { OutputPage, ReadArgs } from '#kernel/types.ts';
import type { Readable } from '#kernel/executions/history.ts';
import { dataText } from './displays.ts';
import { Output } from './output.ts';
import { readPage } from './page.ts';
import { StreamText } from './stream.ts';

const displaysText = ({ output }: Readable, mime: string | undefined, limit: number): StreamText => {
  const text = new StreamText(limit);
  for (const [n, { data }] of output.displays.entries()) {
    if (mime === undefined) text.block(`display ${n + 1}: ${Object.keys(data).join(', ')}`);
    const found = dataText(data, mime ?? 'text/plain');
    if (found !== undefined && found !== '') text.block(found);
  }
  return text;
};

/** A stream's text as it was written, or the data of its displays, or what a person would see. */
const textOf = (found: Readable, { stream, raw, mime }: ReadArgs, limit: number): StreamText => {
  if (stream === 'display') return displaysText(found, mime, limit);
  if (!raw) return found.output.stream(stream);
  const whole = new Output(found.info.execution, limit, { raw: true });
  for (const entry of found.entries()) whole.add(entry);
  whole.complete();
  return whole.stream(stream);
};

const imagesOf = ({ output }: Readable, { stream, mime }: ReadArgs): OutputPage['images'] =>
  stream !== 'display' || !mime?.startsWith('image/') || mime === 'image/svg+xml'
    ? []
    : output.displays.flatMap(({ data }) =>
        data[mime] === undefined ? [] : [{ mime, data: dataText(data, mime) as string }],
      );

/** `limit`: the most UTF-16 units that each stream keeps. */
export const outputPage = (found: Readable, args: ReadArgs, limit: number): OutputPage => {
  const { info, doubt } = found;
  const images = imagesOf(found, args);
  if (images.length > 0) {
    const none = { text: '', totalLines: 0, lines: [1, 0] as const, cursor: undefined, missing: undefined };
    return { info, doubt, ...none, images, complete: doubt === undefined };
  }
  const text = textOf(found, args, limit);
  const { totalLines, missing } = text;
  return { info, doubt, ...readPage(text, args, doubt !== undefined), totalLines, missing, images };
};
