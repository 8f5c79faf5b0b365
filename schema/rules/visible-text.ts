const BIDI_CONTROLS = /\p{Bidi_Control}/gu;
const SPACES_AND_CONTROLS = /[\s\p{Cc}]+/gu;
/* Braille's blank is no space by its properties, and looks like one. */
const UNSEEN = /^[\s\u2800\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u;

/** A text without the space around it; empty when nothing of it can be seen (spaces, braille's blank, zero-width and other format characters). */
export function trimUnseen(text: string): string {
  return UNSEEN.test(text) ? '' : text.trim();
}

/** A text on one line without what would turn its surroundings around: no controls, no direction marks, single spaces. */
export function oneLine(text: string): string {
  return trimUnseen(text.toWellFormed().replace(BIDI_CONTROLS, '').replace(SPACES_AND_CONTROLS, ' '));
}

/** Cuts to UTF-16 units, between characters. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length > length - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
