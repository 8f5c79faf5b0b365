import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { explainFailure, noResponseReason } from '#web/api/api-error.ts';
import { checkConnection, onRecovery } from '#web/api/connection.ts';
import { isChunkError } from '#web/lib/page/chunk-errors.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';

export function PageFailed({ error }: { error: unknown }) {
  const router = useRouter();
  const [isTrying, setIsTrying] = useState(false);
  const isCodeMissing = isChunkError(error);
  useEffect(
    () => onRecovery(() => (isCodeMissing ? window.location.reload() : void router.invalidate())),
    [router, isCodeMissing],
  );
  const retry = async () => {
    setIsTrying(true);
    if (!isCodeMissing) await router.invalidate();
    else if (await checkConnection()) window.location.reload();
    setIsTrying(false);
  };
  return (
    <div className="desk py-16">
      <h1 className="sr-only">Page not loaded</h1>
      <EmptyState
        isError
        title="Failed to load this page"
        description={describe(error)}
        action={
          <Button isPending={isTrying} pendingText="Trying..." onClick={() => void retry()}>
            Try again
          </Button>
        }
      />
    </div>
  );
}

function describe(error: unknown): string {
  if (!isChunkError(error)) return explainFailure(error, 'Something went wrong. Please try again.');
  if (!navigator.onLine) return noResponseReason();
  return "This page's code didn't load. The connection failed, or a new version was released. Try again.";
}
