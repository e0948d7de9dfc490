/** One picture a meaning, drawn on 16 × 16 with lines of 1.4. */
const PATHS = {
  overview: 'M2.5 2.5h4.5v5H2.5zM9 2.5h4.5v3H9zM9 7.5h4.5v6H9zM2.5 9.5H7v4H2.5z',
  sandboxes: 'M8 1.8 13.7 5v6L8 14.2 2.3 11V5zM2.3 5 8 8.2 13.7 5M8 8.2v6',
  recordings: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2M6.6 5.6v4.8L10.5 8z',
  templates: 'M2.5 2.5h11v3.2h-11zM2.5 8h4.8v5.5H2.5zM9.6 8h3.9v5.5H9.6z',
  webhooks: 'M8 5.4a2 2 0 1 0-1.7-1M6.3 4.4 4 9.2M8 5.4l2.3 4.4M4 9.2a2 2 0 1 0 2 2.1h5M11 11.3a2 2 0 1 0-.7-1.5',
  keys: 'M9.5 6.5a3.3 3.3 0 1 0-2 2L9 10h1.6v1.6h1.6v1.6h1.6v-2.4zM5.2 5.2h.1',
  audit: 'M4 2h6l2.5 2.5V14H4zM6 6.5h4.5M6 9h4.5M6 11.5h3',
  system: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.1M5 11h.1',
  terminal: 'M2 3h12v10H2zM4.5 6l2 2-2 2M8 10h3.5',
  files: 'M2 4h4.5l1.5 1.8h6V13H2z',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  network: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M2 8h12M8 2c2.4 2.2 2.4 9.8 0 12M8 2c-2.4 2.2-2.4 9.8 0 12',
  search: 'M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4M10.2 10.2 13.5 13.5',
  plus: 'M8 3v10M3 8h10',
  stop: 'M4 4h8v8H4z',
  play: 'M5 3.2v9.6L12.5 8z',
  trash: 'M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.6 9h5.8l.6-9',
  clock: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2M8 5v3.2l2.2 1.4',
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  alert: 'M8 2.5 14 13H2zM8 6.5v3M8 11.3v.1',
  lock: 'M4 7.2h8V13H4zM5.5 7.2V5a2.5 2.5 0 0 1 5 0v2.2',
  port: 'M6 2.5v3M10 2.5v3M4.5 5.5h7v2.7a3.5 3.5 0 0 1-7 0zM8 11.7V14',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5V2.5h8',
  book: 'M3 2.8h4.2L8 3.6l.8-.8H13v9.8H9l-1 .8-1-.8H3zM8 3.6v9.8',
  leave: 'M9.5 3H3v10h6.5M7 8h6.5M11 5.5 13.5 8 11 10.5',
} as const;

export type IconName = keyof typeof PATHS;

const SVG = 'http://www.w3.org/2000/svg';

export function pathOf(name: IconName): string {
  return PATHS[name];
}

/** The same picture for plain elements. */
export function iconElement(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'sign');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
