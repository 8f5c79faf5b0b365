export { cutText } from '#schema/rules/visible-text.ts';

const BIDI_CONTROLS = /\p{Bidi_Control}/gu;
const FIRST_STRONG_ISOLATE = '\u2068';
const POP_DIRECTIONAL_ISOLATE = '\u2069';

/** A name on one line that keeps its direction to itself: what stands around it is read as it was written. */
export function isolateName(name: string): string {
  return `${FIRST_STRONG_ISOLATE}${name.replace(BIDI_CONTROLS, '').replace(/\s+/g, ' ')}${POP_DIRECTIONAL_ISOLATE}`;
}

/** 'Dec 3, 2026 at 10:00 UTC'. In a chat nobody's own time zone is known. */
export function describeMoment(at: number): string {
  const moment = new Date(at);
  return `${moment.toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })} at ${moment.toISOString().slice(11, 16)} UTC`;
}
