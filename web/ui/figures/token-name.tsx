import { Link } from '@tanstack/react-router';
import { TokenLink } from './token-link.tsx';

export interface TokenNameProps {
  name: string;
  symbol: string;
  callId?: string | undefined;
  mint?: string | undefined;
}

export function TokenName({ name, symbol, callId, mint }: TokenNameProps) {
  return (
    <p className="flex min-w-0 items-baseline gap-x-1.5 max-[22rem]:flex-wrap">
      {callId === undefined ? (
        <span dir="auto" className="truncate font-medium">
          {name}
        </span>
      ) : (
        <Link
          to="/call/$id"
          params={{ id: callId }}
          dir="auto"
          className="truncate py-0.5 font-medium underline-offset-4 hover:underline"
        >
          {name}
        </Link>
      )}
      <span className="max-w-3/5 shrink-0 truncate text-xs text-text-muted">
        {mint === undefined ? symbol : <TokenLink mint={mint}>{symbol}</TokenLink>}
      </span>
    </p>
  );
}
