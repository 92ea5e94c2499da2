export type Child = Node | string | undefined;
type Attributes = Record<string, string | number | undefined>;

const namespaces = { html: 'http://www.w3.org/1999/xhtml', svg: 'http://www.w3.org/2000/svg' } as const;

const build = (space: keyof typeof namespaces, tag: string, attributes: Attributes, children: Child[]): Element => {
  const made = document.createElementNS(namespaces[space], tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(name, String(value));
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
