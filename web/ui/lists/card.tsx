import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export interface CardProps {
  title?: ReactNode;
  description?: ReactNode;
  aside?: ReactNode;
  isFlush?: boolean | undefined;
  id?: string | undefined;
  className?: string | undefined;
  children: ReactNode;
}

export function Card({ title, description, aside, isFlush = false, id, className, children }: CardProps) {
  return (
    <section
      id={id}
      className={classNames('overflow-clip rounded-md border border-line bg-surface-raised', className)}
    >
      {title !== undefined && (
        <header className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-3">
          <div className="min-w-0">
            <h2 className="text-base font-semibold">{title}</h2>
            {description !== undefined && <p className="mt-0.5 text-sm text-text-muted">{description}</p>}
          </div>
          {aside}
        </header>
      )}
      <div className={isFlush ? undefined : 'p-4'}>{children}</div>
    </section>
  );
}
