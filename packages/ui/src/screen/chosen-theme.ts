const KEY = 'gatehouse.theme';

/** The theme that was chosen in this browser: `light` or `dark`; `device` without a choice. */
export function chosenTheme(): string {
  try {
    return localStorage.getItem(KEY) ?? 'device';
  } catch {
    return 'device';
  }
}

/** Shows the chosen theme. Every document does this before its first screen. */
export function showTheme(theme = chosenTheme()): void {
  document.documentElement.dataset['theme'] = theme;
}

/** Shows a theme from now on, and remembers it for the next visit; without storage it lasts as long as the document. */
export function chooseTheme(theme: string): void {
  showTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage can be forbidden.
  }
}
