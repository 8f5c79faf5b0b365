const UNSEEN = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u;

/** A text without the space around it; empty when nothing of it can be seen (spaces, zero-width and other format characters). */
export function trimUnseen(text: string): string {
  return UNSEEN.test(text) ? '' : text.trim();
}
