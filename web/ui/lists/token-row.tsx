import type { ReactNode } from 'react';
import { Avatar } from '../people/avatar.tsx';
import { classNames } from '../class-names.ts';
import { TokenName } from '../figures/token-name.tsx';

export interface TokenRowProps {
  token: { readonly tokenName: string; readonly tokenSymbol: string; readonly logoURI?: string | null };
  note: ReactNode;
  figures?: ReactNode;
  action?: ReactNode;
}

/** A list item about a token. On phones, the figures have their own line. */
export function TokenRow({ token, note, figures, action }: TokenRowProps) {
  const hasFigures = figures !== undefined;
  return (
    <li
      className={classNames(
        'grid min-h-14 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 px-4 py-2',
        hasFigures && 'sm:flex sm:gap-x-5',
      )}
    >
      <div className="flex min-w-0 flex-1 items-center gap-3">
        <Avatar src={token.logoURI} name={token.tokenSymbol} size="sm" shape="token" />
        <div className="min-w-0">
          <TokenName name={token.tokenName} symbol={token.tokenSymbol} />
          <p className="flex flex-wrap items-center gap-x-2 text-xs text-text-muted">{note}</p>
        </div>
      </div>
      {hasFigures && <div className="max-sm:col-span-2">{figures}</div>}
      <div className={classNames('empty:hidden', hasFigures && 'max-sm:col-start-2 max-sm:row-start-1')}>
        {action}
      </div>
    </li>
  );
}
