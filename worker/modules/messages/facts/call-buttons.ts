import { buyUrl } from '#schema/rules/calls/buy-url.ts';
import type { ChatButton } from '../../../ports/messenger.ts';

interface CallMessage {
  /** Everybody who gets the message may see it. */
  readonly mint: string;
  readonly canBuy: boolean;
  readonly url: string;
}

/** The buttons under every message about a call, in their order. */
export const callButtons = ({ mint, canBuy, url }: CallMessage): ChatButton[] => [
  ...(canBuy ? [{ text: 'Buy', url: buyUrl(mint) }] : []),
  { text: 'Copy address', copy: mint },
  { text: 'Open', url },
];
