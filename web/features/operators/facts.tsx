export type Fact = readonly [name: string, value: string | number];

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-xs wrap-anywhere">
      {facts.map(([name, value]) => (
        <div key={`${name} ${value}`} className="contents [&>dt]:text-text-muted">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
