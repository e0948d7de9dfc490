const PLACE = 'bivouac-theme';

export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

/** As this browser was told, else as the system is. */
export function keepTheme(): void {
  const kept = localStorage.getItem(PLACE);
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept;
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(PLACE);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(PLACE, theme);
    document.documentElement.dataset.theme = theme;
  }
}
