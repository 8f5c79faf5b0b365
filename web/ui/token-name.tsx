import { Link } from '@tanstack/react-router';

export interface TokenNameProps {
  name: string;
  symbol: string;
  /** The call that it is the name of: it leads to its page. */
  callId?: string | undefined;
}

/** A token's name with its symbol beside it; a long name is cut, of symbols only those that are no abbreviation. */
export function TokenName({ name, symbol, callId }: TokenNameProps) {
  return (
    <p className="flex min-w-0 items-baseline gap-1.5">
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
      <span className="max-w-3/5 shrink-0 truncate text-xs text-text-muted">{symbol}</span>
    </p>
  );
}
