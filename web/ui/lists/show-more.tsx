import { useRef } from 'react';
import { focusHeading } from '#web/lib/page/focus-heading.ts';
import { Button } from '../controls/button.tsx';

export interface ShowMoreProps {
  children: string;
  isPending: boolean;
  /** Reason why the last click loaded no page. */
  problem?: string | false | undefined;
  onMore: () => Promise<unknown>;
}

/**
 * Loads a list's next page. After the last page, the button disappears and the page's heading gets the focus.
 */
export function ShowMore({ children, isPending, problem, onMore }: ShowMoreProps) {
  const ref = useRef<HTMLButtonElement>(null);
  const loadMore = async () => {
    const hadFocus = document.activeElement === ref.current;
    await onMore();
    setTimeout(() => {
      if (hadFocus && ref.current === null) focusHeading();
    });
  };
  return (
    <div className="mt-6 flex flex-col items-center gap-3">
      {problem && (
        <p role="alert" className="text-center text-sm text-loss">
          {problem}
        </p>
      )}
      <Button ref={ref} isPending={isPending} pendingText="Loading..." onClick={() => void loadMore()}>
        {children}
      </Button>
    </div>
  );
}
