import { useRef } from 'react';
import { focusHeading } from '#web/lib/focus-heading.ts';
import { Button } from './button.tsx';

export interface ShowMoreProps {
  children: string;
  isPending: boolean;
  /** Resolves when more is there. */
  onMore: () => Promise<unknown>;
}

/** Asks for the next page of a list. After the last page it is gone, and the focus goes on at the page's heading. */
export function ShowMore({ children, isPending, onMore }: ShowMoreProps) {
  const ref = useRef<HTMLButtonElement>(null);
  const more = async () => {
    const hadFocus = document.activeElement === ref.current;
    await onMore();
    // What the answer changed is on the screen a moment later.
    setTimeout(() => {
      if (hadFocus && ref.current === null) focusHeading();
    });
  };
  return (
    <div className="mt-6 flex justify-center">
      <Button ref={ref} isPending={isPending} pendingText="Loading..." onClick={() => void more()}>
        {children}
      </Button>
    </div>
  );
}
