import { useRouter } from '@tanstack/react-router';
import { reasonOf } from '#web/api/api-error.ts';
import { ErrorState } from '#web/ui/error-state.tsx';

export function PageFailed({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <div className="desk py-16">
      <ErrorState
        title="Failed to load this page"
        description={reasonOf(error, 'Something went wrong. Please try again.')}
        onRetry={() => void router.invalidate()}
      />
    </div>
  );
}
