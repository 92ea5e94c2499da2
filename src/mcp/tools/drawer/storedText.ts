import type { Stored } from '#drawer/service.ts';
import { counted, grouped } from '#base/text.ts';

/**
 * What the model sees of one stored document: its anchor, or the content itself where it is too small to be worth
 * moving. Such content stands alone, without a word around it: an answer is never larger than what it stands for.
 */
export const storedText = ({ id, title, text, inline, encoding, bytes }: Stored): string => {
  if (!inline) return text;
  if (bytes === 0) return `${title} is empty (0 bytes).`;
  const kept = id === undefined ? '' : `stored whole as ${id}, kept`;
  const coded = encoding === 'base64' ? `${title}: base64, ${counted(bytes, 'byte')}, not valid UTF-8` : '';
  const head = [kept, coded].filter((words) => words !== '').join('; ');
  return head === '' ? text : `${head}:\n${text}`;
};

/** One line for a document among many. */
export const storedLine = (stored: Stored): string => {
  const { id, title, bytes, lines, tokens, kind } = stored;
  const size = `${counted(bytes, 'byte')}, ${counted(lines, 'line')}, ${grouped(tokens)} tokens`;
  return `${id ?? 'not stored (too small)'} ${title}: ${kind}, ${size}`;
};
