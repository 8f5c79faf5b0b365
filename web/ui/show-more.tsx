import { useRef } from 'react';
import { focusHeading } from '#web/lib/focus-heading.ts';
import { Button } from './button.tsx';

export interface ShowMoreProps {
  children: string;
  isPending: boolean;
  onMore: () => Promise<unknown>;
}

/** Loads a list's next page. After the last one, the button disappears and the page's heading is focused. */
export function ShowMore({ children, isPending, onMore }: ShowMoreProps) {
  const ref = useRef<HTMLButtonElement>(null);
  const loadMore = async () => {
    const hadFocus = document.activeElement === ref.current;
    await onMore();
    setTimeout(() => {
      if (hadFocus && ref.current === null) focusHeading();
    });
  };
  return (
    <div className="mt-6 flex justify-center">
      <Button ref={ref} isPending={isPending} pendingText="Loading..." onClick={() => void loadMore()}>
        {children}
      </Button>
    </div>
  );
}
