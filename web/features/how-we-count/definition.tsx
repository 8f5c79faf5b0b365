import type { ReactNode } from 'react';

export interface DefinitionProps {
  id: string;
  name: string;
  formula: ReactNode;
  /** The formula applied to the example calls. */
  example: ReactNode;
  children?: ReactNode;
}

/** The definition of one figure. `children` explain why the figure exists. */
export function Definition({ id, name, formula, example, children }: DefinitionProps) {
  return (
    <article
      id={id}
      aria-labelledby={`${id}-name`}
      className="scroll-mt-20 rounded-md border border-line bg-surface-raised p-4"
    >
      <h3 id={`${id}-name`} className="font-semibold">
        {name}
      </h3>
      <p className="mt-1">{formula}</p>
      {children !== undefined && <p className="mt-2 text-sm text-text-muted">{children}</p>}
      <p className="mt-2 border-l-2 border-line-strong pl-3 text-sm text-text-muted tabular-nums">
        {example}
      </p>
    </article>
  );
}
