import { pageStorage } from '#web/lib/browser/page-storage.ts';
import { useStored } from '#web/lib/browser/use-stored.ts';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { VerifyButton } from './verify-button.tsx';

export function VerifyRecord({ callerId }: { callerId: string }) {
  const [last, store] = useStored(pageStorage, `solcallers.verified.${callerId}`);
  const [result, at] = last?.split(' at ') ?? [];
  return (
    <div className="-ml-4 flex items-center text-sm [&_button]:underline [&_button]:underline-offset-4">
      <VerifyButton
        title="Verify this record"
        getTarget={() => ({ kind: 'caller', handle: callerId })}
        onResult={(title) => store(`${title} at ${new Date().toISOString()}`)}
      />
      {result !== undefined && (
        <span className="text-text-muted">
          {result} <RelativeTime at={at} className="lowercase" />
        </span>
      )}
    </div>
  );
}
