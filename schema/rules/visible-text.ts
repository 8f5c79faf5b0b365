const BIDI_CONTROLS = /\p{Bidi_Control}/gu;
const SPACES_AND_CONTROLS = /[\s\p{Cc}]+/gu;
/* The Braille blank looks like a space but isn't one in Unicode. */
const UNSEEN = /^[\s\u2800\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u;

/** Trims a text. Returns an empty string if no character is visible. */
export function trimUnseen(text: string): string {
  return UNSEEN.test(text) ? '' : text.trim();
}

/** One line with single spaces, without control characters and direction marks. */
export function oneLine(text: string): string {
  return trimUnseen(text.toWellFormed().replace(BIDI_CONTROLS, '').replace(SPACES_AND_CONTROLS, ' '));
}

/** Cuts between characters to at most `length` UTF-16 units, including the '…'. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length > length - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
