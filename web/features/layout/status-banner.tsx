import { useQuery } from '@tanstack/react-query';
import type { Pausable } from '#schema/contracts/pauses.ts';
import type { Ability } from '#schema/rules/running/outages.ts';
import { statusQuery } from '#web/api/status.queries.ts';
import { formatMinute } from '#web/lib/text/dates.ts';

const PAUSES: Readonly<Record<Pausable, string>> = {
  payments: 'New payments are paused. Payments that you have sent still count.',
  calls: 'New calls are paused. Active calls can still be updated and ended.',
  posting: 'Posting is paused: messages about calls wait, and nothing is posted on X.',
};

const OUTAGES: Readonly<Record<Ability, string>> = {
  pages: 'Pages don’t load at the moment.',
  sign_in: 'Signing in doesn’t work at the moment. If you are signed in, you stay so.',
  payments: 'Payments don’t work at the moment. A payment that you have sent still counts.',
  calls: 'Calls can’t be opened or ended at the moment. Active calls stay as they are.',
  messages: 'Messages don’t arrive on Telegram at the moment. They are sent later.',
  posts: 'Posting on X doesn’t work at the moment.',
};

/** A banner for everything that is paused or doesn't work. Without a response from the API, nothing is shown. */
export function StatusBanner() {
  const { data: { pauses, outages } = { pauses: [], outages: [] } } = useQuery(statusQuery);
  if (pauses.length + outages.length === 0) return null;
  return (
    <section aria-label="Status" className="border-b border-line bg-warn-soft text-sm text-warn print:hidden">
      <div className="desk space-y-1 py-3 wrap-anywhere">
        {pauses.map(({ kind, reason }) => (
          <p key={kind}>
            <strong className="font-medium">{PAUSES[kind]}</strong> <bdi>{reason}</bdi>
          </p>
        ))}
        {outages.map(({ ability, since }) => (
          <p key={ability}>
            <strong className="font-medium">{OUTAGES[ability]}</strong>{' '}
            {`Since ${formatMinute(since)}. We’re on it.`}
          </p>
        ))}
      </div>
    </section>
  );
}
