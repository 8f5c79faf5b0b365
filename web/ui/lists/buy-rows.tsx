import type { ReactNode } from 'react';
import type { WalletTransaction } from '#schema/contracts/wallets.ts';
import { formatTokenAmount } from '#schema/rules/text/format-amounts.ts';
import { Avatar } from '../people/avatar.tsx';
import { classNames } from '../class-names.ts';
import { RelativeTime } from '../figures/relative-time.tsx';
import { TokenName } from '../figures/token-name.tsx';

/** A transaction of a wallet, or of the test dashboard, whose tokens have no icons. */
export type Buy = Omit<WalletTransaction, 'transactionType' | 'logoURI'> &
  Partial<Pick<WalletTransaction, 'logoURI'>>;

export interface BuyRowsProps<Row extends Buy> {
  label: string;
  buys: readonly Row[];
  renderFigures?: ((buy: Row) => ReactNode) | undefined;
  renderAction: (buy: Row) => ReactNode;
}

export function BuyRows<Row extends Buy>({ label, buys, renderFigures, renderAction }: BuyRowsProps<Row>) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {buys.map((buy) => (
        <li
          key={`${buy.signature} ${buy.tokenMint}`}
          className={classNames(
            'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 px-4 py-3 sm:gap-x-5',
            renderFigures && 'sm:grid-cols-[minmax(0,1fr)_12rem_auto]',
          )}
        >
          <div className="flex min-w-0 items-center gap-3">
            <Avatar src={buy.logoURI} name={buy.tokenSymbol} size="sm" shape="token" />
            <div className="min-w-0">
              <TokenName name={buy.tokenName} symbol={buy.tokenSymbol} />
              <p className="flex flex-wrap items-center gap-x-2 text-xs text-text-muted">
                <span className="figures">
                  {formatTokenAmount(buy.amount)} {buy.tokenSymbol}
                </span>
                <RelativeTime at={buy.timestamp} />
              </p>
            </div>
          </div>
          {renderFigures && <div className="max-sm:col-span-2">{renderFigures(buy)}</div>}
          <div className={renderFigures && 'max-sm:col-start-2 max-sm:row-start-1'}>{renderAction(buy)}</div>
        </li>
      ))}
    </ul>
  );
}
