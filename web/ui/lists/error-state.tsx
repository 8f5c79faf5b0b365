import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';

export interface ErrorStateProps {
  title: string;
  description?: ReactNode;
  onRetry?: (() => void) | undefined;
  isRetrying?: boolean | undefined;
}

export function ErrorState({ title, description, onRetry, isRetrying }: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-4 py-10 text-center">
      <svg aria-hidden="true" width="120" height="24" viewBox="0 0 120 24" className="mb-2 text-loss">
        <path d="M10 17 L52 14 M68 12 L110 9" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="M57 9 L63 17 M63 9 L57 17" stroke="currentColor" strokeWidth="1.5" />
        <circle cx="6" cy="17" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <circle cx="114" cy="9" r="4" fill="currentColor" />
      </svg>
      <p className="text-base font-medium">{title}</p>
      {description !== undefined && <p className="max-w-prose text-sm text-text-muted">{description}</p>}
      {onRetry && (
        <Button className="mt-3" isPending={isRetrying} pendingText="Trying..." onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
