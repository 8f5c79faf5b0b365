import { buyUrl } from '#schema/rules/calls/buy-url.ts';
import type { MessageButton } from '../ports/messenger.ts';

interface ButtonsOptions {
  readonly call: { readonly tokenMint: string };
  readonly callUrl: string;
  readonly canBuy: boolean;
}

/** The buttons under every message about a call, in their order. */
export const callButtons = ({ call, callUrl, canBuy }: ButtonsOptions): MessageButton[] => [
  ...(canBuy ? [{ text: 'Buy', url: buyUrl(call.tokenMint) }] : []),
  { text: 'Open', url: callUrl },
];
