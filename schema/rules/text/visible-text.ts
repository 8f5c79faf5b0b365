const BIDI_CONTROLS = /\p{Bidi_Control}/gu;
const SPACES_AND_CONTROLS = /[\s\p{Cc}]+/gu;
const CONTROLS_BUT_LINE_BREAKS = /[^\P{Cc}\n]/gu;
/* The Braille blank looks like a space but isn't one in Unicode. */
const UNSEEN = /^[\s\u2800\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u;

export function trimUnseen(text: string): string {
  return UNSEEN.test(text) ? '' : text.trim();
}

/** Cleans a text of several lines: NFC, no control characters and direction marks. '' if nothing is visible. */
export function cleanLines(text: string): string {
  const lines = text.toWellFormed().normalize('NFC').replace(/\r\n?/g, '\n');
  return trimUnseen(lines.replace(BIDI_CONTROLS, '').replace(CONTROLS_BUT_LINE_BREAKS, ''));
}

/** Cleans a text to one line: NFC, single spaces, without control characters and direction marks. */
export function oneLine(text: string): string {
  const shown = text.toWellFormed().normalize('NFC').replace(BIDI_CONTROLS, '');
  return trimUnseen(shown.replace(SPACES_AND_CONTROLS, ' '));
}

/** Cuts between characters to at most `length` UTF-16 units, including the '…'. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  let included = '';
  for (const character of text) {
    if (included.length + character.length > length - 1) break;
    included += character;
  }
  return `${included}…`;
}
