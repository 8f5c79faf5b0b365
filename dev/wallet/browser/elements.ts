type Child = Node | string;
type Attributes = Readonly<Record<string, string | EventListener>>;

/** Creates an element. Functions such as `onclick` become event listeners, texts become attributes. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') made.setAttribute(name, value);
    else made.addEventListener(name.replace(/^on/, ''), value);
  }
  made.append(...children);
  return made;
}
