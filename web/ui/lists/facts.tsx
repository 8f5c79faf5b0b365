import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

interface FactListProps {
  label?: string;
  className?: string;
  children: ReactNode;
}

/** Names on the left, values on the right. */
export function FactList({ label, className, children }: FactListProps) {
  const layout =
    'grid grid-cols-[auto_1fr] content-start gap-x-4 gap-y-1.5 text-sm [&>dd]:text-right [&>dt]:text-text-muted';
  return (
    <dl aria-label={label} className={classNames(layout, className)}>
      {children}
    </dl>
  );
}

/** One fact of a `<dl>`. */
export function Fact({
  name,
  value,
  children,
}: {
  name: ReactNode;
  value?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value ?? children}</dd>
    </>
  );
}
