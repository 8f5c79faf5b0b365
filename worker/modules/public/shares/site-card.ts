import { drawCard, drawLine, drawText } from './card-drawing.ts';
import { faces } from './card-fonts.ts';
import { colours, LEFT } from './card-layout.ts';

/** Draws the image of pages that are about no single caller or call. */
export function drawSiteCard(host: string): string {
  const place = { x: LEFT, face: faces.semibold };
  return drawCard(
    [
      drawLine({ changePercent: 100, y: 492, rise: { least: 90, most: 90 } }),
      drawText('Solana token calls', { ...place, y: 250, size: 96, spacing: -1.4 }),
      drawText('with their whole record', { ...place, y: 350, size: 96, spacing: -1.4 }),
      drawText('What a month made after the fee, wins and losses alike', {
        ...place,
        y: 626,
        size: 38,
        face: faces.regular,
        fill: colours.text,
      }),
    ],
    host,
  );
}
