/** Keeps at most one blank line in a row, so that a text can't push everything else off the screen. */
export function collapseBlankLines(text: string): string {
  return text.replaceAll(/\n(?:[^\S\n]*\n){2,}/g, '\n\n');
}
