/** The four themes that all must be readable in: what VS Code calls them in its settings, and its window once they are drawn. */
export const THEMES = [
  { name: 'light', setting: 'Default Light Modern', drawn: 'vs' },
  { name: 'dark', setting: 'Default Dark Modern', drawn: 'vs-dark' },
  { name: 'hc-light', setting: 'Default High Contrast Light', drawn: 'hc-light' },
  { name: 'hc-dark', setting: 'Default High Contrast', drawn: 'hc-black' },
];
