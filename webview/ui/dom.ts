export type Child = Node | string | undefined;
type Attributes = Record<string, string | number | boolean | undefined>;

const namespaces = { html: 'http://www.w3.org/1999/xhtml', svg: 'http://www.w3.org/2000/svg' } as const;

const build = (space: keyof typeof namespaces, tag: string, attributes: Attributes, children: Child[]): Element => {
  const made = document.createElementNS(namespaces[space], tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, '');
    else if (value !== undefined && value !== false) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
};

/** An element with its attributes and content. Text is only ever text: nothing here parses HTML. */
export const html = <T extends HTMLElement = HTMLElement>(
  tag: string,
  attributes: Attributes,
  ...children: Child[]
): T => build('html', tag, attributes, children) as T;

export const svg = (tag: string, attributes: Attributes, ...children: Child[]): SVGElement =>
  build('svg', tag, attributes, children) as SVGElement;

/**
 * Puts `content` in place of what was in `box`; the focus stays on the control it was on, known by its `data-key`, where
 * there still is one.
 */
export const swap = (box: Element, ...content: readonly Child[]): void => {
  const focused = document.activeElement;
  const key = focused && box.contains(focused) ? focused.getAttribute('data-key') : undefined;
  box.replaceChildren(...content.filter((child) => child !== undefined));
  if (key) box.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
};
