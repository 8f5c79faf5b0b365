import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useIsHydrated } from '#web/ui/use-is-hydrated.ts';
import { isWideNow, useIsWide } from './use-is-wide.ts';

export interface ByWidthProps {
  wide: ReactNode;
  narrow: ReactNode;
}

/**
 * Renders the layout that fits the window. The server doesn't know the width, so its HTML has both layouts,
 * and CSS hides one. The browser removes that one without hydrating it.
 */
export function ResponsiveSwitch({ wide, narrow }: ByWidthProps) {
  const isWide = useIsWide();
  const isHydrated = useIsHydrated();
  const { isServer } = useRouter();
  if (isHydrated) {
    return (
      <>
        {isWide && <div className="contents">{wide}</div>}
        {!isWide && <div className="contents">{narrow}</div>}
      </>
    );
  }
  return (
    <>
      {isServer || isWideNow() ? (
        <div className="contents max-md:hidden">{wide}</div>
      ) : (
        <Unused className="contents max-md:hidden" />
      )}
      {isServer || !isWideNow() ? (
        <div className="contents md:hidden">{narrow}</div>
      ) : (
        <Unused className="contents md:hidden" />
      )}
    </>
  );
}

/** Hydrates a server-rendered element without its content. */
function Unused({ className }: { className: string }) {
  return <div className={className} suppressHydrationWarning dangerouslySetInnerHTML={NOTHING} />;
}

const NOTHING = { __html: '' };
