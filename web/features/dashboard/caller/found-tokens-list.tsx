import { TriangleAlert } from '#web/ui/more-icons.ts';
import type { FoundToken } from '#schema/contracts/prices.ts';
import { formatMarketCap, shortenAddress } from '#schema/rules/text/format.ts';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { VerifiedMark } from '#web/ui/people/verified-mark.tsx';

export interface FoundTokensListProps {
  id: string;
  tokens: readonly FoundToken[];
  /** The index of the option that Enter chooses; -1 for none. */
  active: number;
  onChoose: (token: FoundToken) => void;
}

export const optionIdOf = (listId: string, index: number) => `${listId}-${index}`;

const scrollToActive = (option: HTMLElement | null) => option?.scrollIntoView?.({ block: 'nearest' });

/** The list of a combobox. The focus stays in the text field. */
export function FoundTokensList({ id, tokens, active, onChoose }: FoundTokensListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Tokens"
      className="mt-2 max-h-112 divide-y divide-line overflow-y-auto rounded-md border border-line-strong"
    >
      {tokens.map((token, index) => (
        <button
          key={token.mint}
          ref={index === active ? scrollToActive : null}
          id={optionIdOf(id, index)}
          type="button"
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          // A click on an option must not take the focus from the text field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(token)}
          className={classNames(
            'flex w-full items-start gap-3 p-3 text-left hover:bg-surface-hover',
            index === active && 'bg-surface-hover outline-2 -outline-offset-2 outline-accent-text',
          )}
        >
          <FoundTokenOption token={token} />
        </button>
      ))}
    </div>
  );
}

function FoundTokenOption({ token }: { token: FoundToken }) {
  const { mint, symbol, name, logoURI, isVerified, lookAlike } = token;
  return (
    <>
      <Avatar src={logoURI} letter={symbol} size="sm" shape="token" />
      <span className="min-w-0 flex-1 space-y-0.5 text-xs text-text-muted *:block">
        <span className="flex! min-w-0 items-center gap-1.5">
          <span dir="auto" className="truncate text-sm font-medium text-text">
            {name}
          </span>
          <bdi className="max-w-2/5 shrink-0 truncate">{symbol}</bdi>
          {isVerified === true && <VerifiedMark size={14} />}
        </span>
        <span className="font-mono break-all">{mint}</span>
        <span>{describeMarket(token)}</span>
        {lookAlike !== null && <LookAlikeWarning lookAlike={lookAlike} />}
      </span>
    </>
  );
}

function LookAlikeWarning({ lookAlike }: { lookAlike: NonNullable<FoundToken['lookAlike']> }) {
  const { symbol, name, mint, isVerified } = lookAlike;
  return (
    <span className="flex! items-start gap-1.5 font-medium text-warn">
      <TriangleAlert aria-hidden="true" size={14} className="mt-px shrink-0" />
      <span className="min-w-0">
        Looks like <bdi>{name}</bdi> (<bdi>{symbol}</bdi>), {isVerified ? 'verified' : 'better known'}, mint{' '}
        <span className="font-mono whitespace-nowrap">{shortenAddress(mint)}</span>
      </span>
    </span>
  );
}

function describeMarket({ liquidityUsd, marketCapUsd, isVerified }: FoundToken): string {
  const amount = (usd: number | null) => (usd === null ? 'unknown' : formatMarketCap(usd));
  return [
    `Liquidity ${amount(liquidityUsd)}`,
    ...(marketCapUsd === null ? [] : [`market cap ${amount(marketCapUsd)}`]),
    ...(isVerified === false ? ['not verified'] : []),
  ].join(', ');
}
