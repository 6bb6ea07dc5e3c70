/** The style of a part that is loaded later comes with it: a copy in one file needs no other one. */
export function adopt(sheet: string): void {
  const style = new CSSStyleSheet();
  style.replaceSync(sheet);
  document.adoptedStyleSheets.push(style);
}
