import { useQuery } from '@tanstack/react-query';
import type { Pausable } from '#schema/contracts/pauses.ts';
import { pausesQuery } from '#web/api/pauses.queries.ts';

const TEXTS: Readonly<Record<Pausable, string>> = {
  payments: 'New payments are paused. Payments that you have sent still count.',
  calls: 'New calls are paused. Active calls can still be updated and ended.',
  posting: 'Posting is paused: messages about calls wait, and nothing is posted on X.',
};

/** A banner for each paused function, with the reason. Without a response from the API, nothing is shown. */
export function PauseBanner() {
  const { data: pauses = [] } = useQuery(pausesQuery);
  if (pauses.length === 0) return null;
  return (
    <section aria-label="Paused" className="border-b border-line bg-warn-soft text-sm text-warn print:hidden">
      <div className="desk space-y-1 py-3 wrap-anywhere">
        {pauses.map(({ kind, reason }) => (
          <p key={kind}>
            <strong className="font-medium">{TEXTS[kind]}</strong> <bdi>{reason}</bdi>
          </p>
        ))}
      </div>
    </section>
  );
}
