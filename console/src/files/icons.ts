const SVG = 'http://www.w3.org/2000/svg';

const SHAPES = {
  folder: 'M1.5 3.5h4.6l1.4 1.6h7v8.4h-13z',
  file: 'M3.5 1.5h6l3 3v10h-9z M9.5 1.5v3h3',
  link: 'M3.5 1.5h6l3 3v10h-9z M6 11c0-3 1-4 4-4 M8.4 5.2 10.2 7 8.4 8.8',
  other: 'M3.5 3.5h9v9h-9z',
};

/** A small drawing before a name; it says nothing that the words beside it do not. */
export function icon(kind: keyof typeof SHAPES): SVGElement {
  const drawn = document.createElementNS(SVG, 'svg');
  drawn.setAttribute('viewBox', '0 0 16 16');
  drawn.setAttribute('class', `icon ${kind}`);
  drawn.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', SHAPES[kind]);
  drawn.append(shape);
  return drawn;
}
