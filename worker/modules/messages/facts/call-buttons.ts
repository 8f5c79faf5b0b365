import { buyUrl } from '#schema/rules/calls/buy-url.ts';
import type { MessageButton } from '../../../ports/messenger.ts';

/** The buttons under every message about a call, in their order. Without Buy if `mint` is null. */
export const callButtons = ({ mint, url }: { mint: string | null; url: string }): MessageButton[] => [
  ...(mint === null ? [] : [{ text: 'Buy', url: buyUrl(mint) }]),
  { text: 'Open', url },
];
