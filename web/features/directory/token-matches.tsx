import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { shortenAddress } from '#schema/rules/text/format.ts';
import { calledTokensQuery } from '#web/api/called-tokens.queries.ts';
import { Avatar } from '#web/ui/people/avatar.tsx';

export function TokenMatches({ search }: { search: string }) {
  const { data: tokens = [] } = useQuery(calledTokensQuery(search));
  if (tokens.length === 0) return null;
  return (
    <nav aria-label="Tokens" className="-mt-2 mb-5 flex flex-wrap items-center gap-2 text-sm">
      <span className="text-text-muted">Tokens:</span>
      {tokens.map(({ mint, symbol, name, logoURI }) => (
        <Link
          key={mint}
          to="/token/$mint"
          params={{ mint }}
          title={mint}
          className="inline-flex min-h-11 max-w-full items-center gap-2 rounded-md border border-line px-3 hover:bg-surface-hover md:min-h-8"
        >
          <Avatar src={logoURI} name={symbol} size="sm" shape="token" />
          <bdi className="truncate font-medium">{symbol}</bdi>
          <bdi className="truncate text-text-muted">{name}</bdi>
          {/* The mint distinguishes tokens with the same name. */}
          <span className="shrink-0 font-mono text-xs text-text-muted">{shortenAddress(mint)}</span>
        </Link>
      ))}
    </nav>
  );
}
