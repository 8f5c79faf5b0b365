/** A token's name with its symbol beside it; a long name is cut, of symbols only those that are no abbreviation. */
export function TokenName({ name, symbol }: { name: string; symbol: string }) {
  return (
    <p className="flex min-w-0 items-baseline gap-1.5">
      <span dir="auto" className="truncate font-medium">{name}</span>
      <span className="max-w-3/5 shrink-0 truncate text-xs text-text-muted">{symbol}</span>
    </p>
  );
}
