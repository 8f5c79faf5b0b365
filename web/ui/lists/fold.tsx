import { ChevronRight } from '../icons.tsx';
import { useState, type ReactNode, type Ref } from 'react';

export interface FoldProps {
  title: ReactNode;
  /** Lets a form open the fold if a field inside it has a problem. */
  foldRef?: Ref<HTMLDetailsElement> | undefined;
  isInitiallyOpen?: boolean | undefined;
  onOpen?: (() => void) | undefined;
  children: ReactNode;
}

/** A fold whose children are rendered from the first time it's open. */
export function LazyFold({
  title,
  isInitiallyOpen = false,
  children,
}: Pick<FoldProps, 'title' | 'isInitiallyOpen' | 'children'>) {
  const [isOpen, setIsOpen] = useState(isInitiallyOpen);
  return (
    <Fold
      title={title}
      isInitiallyOpen={isInitiallyOpen}
      // It may have been opened before React listened.
      foldRef={(fold) => {
        if (fold?.open === true) setIsOpen(true);
      }}
      onOpen={() => setIsOpen(true)}
    >
      {isOpen && children}
    </Fold>
  );
}

export function Fold({ title, foldRef, isInitiallyOpen = false, onOpen, children }: FoldProps) {
  // The state never changes, so that a rerender doesn't close or open the fold.
  const [open] = useState(isInitiallyOpen);
  return (
    <details
      ref={foldRef}
      open={open}
      onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}
      className="group rounded-md border border-line"
    >
      <summary className="flex min-h-11 list-none items-center gap-2 px-3 text-sm font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight size={16} className="shrink-0 transition-transform group-open:rotate-90" />
        <span className="min-w-0 flex-1">{title}</span>
      </summary>
      <div className="px-3 pt-1 pb-3">{children}</div>
    </details>
  );
}
