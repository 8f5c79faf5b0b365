import { useQuery, useQueryClient } from '@tanstack/react-query';
import { pageStorage } from '#web/lib/browser/page-storage.ts';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { VerifyButton } from './verify-button.tsx';

export function VerifyRecord({ callerId }: { callerId: string }) {
  const key = `solcallers.verified.${callerId}`;
  const queryClient = useQueryClient();
  const { data: last = '' } = useQuery({
    queryKey: [key],
    queryFn: () => pageStorage.getItem(key) ?? '',
    networkMode: 'always',
  });
  const [result = '', at] = last.split(' at ');
  const save = (title: string) => {
    const saved = `${title} at ${new Date().toISOString()}`;
    pageStorage.setItem(key, saved);
    queryClient.setQueryData([key], saved);
  };
  return (
    <div className="-ml-4 flex items-center text-sm [&_button]:underline [&_button]:underline-offset-4">
      <VerifyButton
        title="Verify this record"
        getTarget={() => ({ kind: 'caller', handle: callerId })}
        onResult={save}
      />
      {result !== '' && (
        <span className="text-text-muted">
          {result} <RelativeTime at={at} className="lowercase" />
        </span>
      )}
    </div>
  );
}
