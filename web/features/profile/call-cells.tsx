import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrice } from '#schema/contracts/prices.ts';
import { formatProfilePrice } from '#schema/rules/format.ts';
import { changePercent } from '#schema/rules/performance.ts';
import { buyUrl } from '#web/lib/links.ts';
import { Address } from '#web/ui/address.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { CallBadges } from '#web/ui/call-badges.tsx';
import { Change } from '#web/ui/change.tsx';
import { CurrentPrice } from '#web/ui/current-price.tsx';
import { HeldTime } from '#web/ui/held-time.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Price } from '#web/ui/price.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { TokenName } from '#web/ui/token-name.tsx';

/** What was called and how long ago. */
export function CalledToken({ call }: { call: TokenCall }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar src={call.logoURI} letter={call.tokenSymbol} size="sm" shape="token" />
      <div className="min-w-0">
        <TokenName name={call.tokenName} symbol={call.tokenSymbol} callId={call.id} />
        <p className="flex flex-wrap items-center gap-x-2 text-xs text-text-muted">
          <RelativeTime at={call.callTimestamp} />
          <HeldTime callTimestamp={call.callTimestamp} endTimestamp={call.endTimestamp} />
          <Address value={call.tokenMint} label={`mint of ${call.tokenSymbol}`} />
          <CallBadges call={call} />
        </p>
      </div>
    </div>
  );
}

/** The price at which it was called. */
export function CallPrice({ call }: { call: TokenCall }) {
  return <Price value={call.entryPrice} format={formatProfilePrice} />;
}

/** Where it ended and what that made of the entry; 'Active' while it has not. */
export function EndPrice({ call }: { call: TokenCall }) {
  if (call.endPrice === undefined) return <span className="text-text-muted">Active</span>;
  return (
    <>
      <Price value={call.endPrice} format={formatProfilePrice} className="md:block" />
      <Change
        percent={changePercent(call.entryPrice, call.endPrice)}
        zeroIs="gain"
        className="text-base font-semibold"
      />
    </>
  );
}

/** What it costs now and how far that is from the entry. */
export function PriceNow({ call, price }: { call: TokenCall; price: ShownPrice | undefined }) {
  return (
    <>
      <CurrentPrice price={price} format={formatProfilePrice} className="md:block" />
      {price !== undefined && (
        <Change
          percent={changePercent(call.entryPrice, price.price)}
          zeroIs="gain"
          className="text-base font-semibold"
        />
      )}
    </>
  );
}

/** Leads to where the token is bought. */
export function BuyButton({ call }: { call: TokenCall }) {
  return (
    <LinkButton href={buyUrl(call.tokenMint)} isExternal size="sm" aria-label={`Buy ${call.tokenSymbol}`}>
      Buy
    </LinkButton>
  );
}
