/** Creates elements: attributes by name, listeners as `onclick`, children as nodes or texts. */
type Child = Node | string | false | undefined;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  return filled(document.createElement(name), attributes, children);
}

export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Name] {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function filled<Made extends Element>(made: Made, attributes: Attributes, children: readonly Child[]): Made {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') made.addEventListener(name.slice(2), value as (event: Event) => void);
    else made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return made;
}
