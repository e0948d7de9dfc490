type Child = Node | string | undefined | false;
type Properties<Tag extends keyof HTMLElementTagNameMap> = Partial<Omit<HTMLElementTagNameMap[Tag], 'style' | 'children'>> & {
  class?: string;
  role?: string;
  aria?: Record<string, string>;
};

/** An element with its properties and children. Text is always text: nothing here can become markup. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties<Tag> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  const { class: names, role, aria, ...rest } = properties;
  if (names !== undefined) made.className = names;
  if (role !== undefined) made.setAttribute('role', role);
  for (const [name, value] of Object.entries(aria ?? {})) made.setAttribute(`aria-${name}`, value);
  Object.assign(made, rest);
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

export function button(text: string, act: () => unknown, names = ''): HTMLButtonElement {
  return h('button', { class: names, type: 'button', onclick: () => void act() }, text);
}

export function link(text: string, to: string, names = ''): HTMLAnchorElement {
  return h('a', { href: `#${to}`, class: names }, text);
}
