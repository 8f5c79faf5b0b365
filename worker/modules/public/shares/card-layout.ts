import { SHARE_IMAGE } from '#schema/constants/public.ts';

/** The smallest font size in px. Cards are often shown at a third of their width. There, such a text is 11 px high. */
export const SMALLEST_TEXT = 33;

/** The dark theme of web/styles/tokens.css in sRGB. */
export const colours = {
  surface: '#0c111a',
  raised: '#1b222e',
  text: '#ebeff4',
  muted: '#a2aab6',
  line: '#2a313d',
  accent: '#f6d236',
  onAccent: '#0f1828',
  gain: '#47d9bb',
  gainSoft: '#032d2a',
  loss: '#fa825d',
  lossSoft: '#3f1a13',
} as const;

/**
 * The direction of a change and its colours; `soft` fills the area below the line. A change shown as 0.0% is neither a gain
 * nor a loss.
 */
export function toneOf(changePercent: number) {
  const shown = Number(changePercent.toFixed(1));
  if (shown === 0) return { direction: 0, colour: colours.text, soft: colours.raised };
  return shown > 0
    ? { direction: 1, colour: colours.gain, soft: colours.gainSoft }
    : { direction: -1, colour: colours.loss, soft: colours.lossSoft };
}

export const LEFT = 64;
export const RIGHT = SHARE_IMAGE.width - LEFT;
export const ROOM = RIGHT - LEFT;

export type Anchor = 'start' | 'middle' | 'end';
