import { useRouter } from '@tanstack/react-router';
import { reasonOf } from '#web/api/api-error.ts';
import { ErrorState } from '#web/ui/error-state.tsx';

/** A page that could not be shown at all. */
export function PageFailed({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <div className="desk py-16">
      <ErrorState
        title="This page could not be shown"
        description={reasonOf(error, 'Something went wrong on the way. Please try again.')}
        onRetry={() => void router.invalidate()}
      />
    </div>
  );
}
