import { Suspense, use, useEffect, useId, useState, type ReactNode } from 'react';
import { turnOf, type Turn } from '#web/lib/page-hydration.ts';

/**
 * A part of a page that is hydrated in a task of its own, after the parts before it, so that the browser can paint and
 * handle input in between. Once the page is hydrated, it only renders its children.
 */
export function HydrateInTurn({ children }: { children: ReactNode }) {
  const id = useId();
  const [turn] = useState(() => turnOf(id));
  const [hydrated] = useState(children);
  // React can't change the part before it's hydrated.
  if (children !== hydrated) turn?.open();
  useEffect(() => () => turn?.finish(), [turn]);
  return (
    <Suspense>
      <Part turn={turn}>{children}</Part>
    </Suspense>
  );
}

/** Suspended until its turn, so that React leaves the server's HTML as it is. */
function Part({ turn, children }: { turn: Turn | null; children: ReactNode }) {
  if (turn !== null) use(turn.opened);
  useEffect(() => turn?.finish(), [turn]);
  return children;
}
