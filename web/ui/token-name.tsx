/** A token's name with its symbol beside it; a long name is cut, never the symbol. */
export function TokenName({ name, symbol }: { name: string; symbol: string }) {
  return (
    <p className="flex min-w-0 items-baseline gap-1.5">
      <span className="truncate font-medium">{name}</span>
      <span className="shrink-0 text-xs text-text-muted">{symbol}</span>
    </p>
  );
}
