import { buyUrl } from '#schema/rules/calls/buy-url.ts';
import { LinkButton } from './link-button.tsx';

export function BuyLink({ tokenMint, tokenSymbol }: { tokenMint: string; tokenSymbol: string }) {
  return (
    <LinkButton href={buyUrl(tokenMint)} isExternal size="sm" aria-label={`Buy ${tokenSymbol}`}>
      Buy
    </LinkButton>
  );
}
