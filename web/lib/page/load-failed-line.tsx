import { Button } from '#web/ui/controls/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import type { LoadFailedProps } from './load-failed.tsx';

interface LoadFailedLineProps extends Pick<LoadFailedProps, 'what'> {
  onRetry: () => Promise<unknown>;
  className?: string;
}

/** Like `LoadFailed`, but on one line and without the reason. */
export function LoadFailedLine({ what, onRetry, className }: LoadFailedLineProps) {
  const layout = 'flex flex-wrap items-center justify-between gap-x-3 text-sm text-text-muted';
  return (
    <p role="alert" className={classNames(layout, className)}>
      {`Failed to load ${what}.`}
      <Button size="sm" onClick={() => void onRetry()}>
        Try again
      </Button>
    </p>
  );
}
