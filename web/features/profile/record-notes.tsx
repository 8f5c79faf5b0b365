import { MIN_COUNTED_HOLD_MS, MINUTE_MS, STATISTICS_MAX_CALLS } from '#schema/constants.ts';
import type { CallerProfile, CallerStatistics } from '#schema/contracts/callers.ts';
import { formatChange, formatCount, pluralize } from '#schema/rules/text/format.ts';

interface RecordNotesProps {
  caller: CallerProfile;
  statistics: CallerStatistics;
}

/** Says which calls the figures leave out, and what open calls stand at. */
export function RecordNotes(props: RecordNotesProps) {
  return (
    <ul className="flex flex-col gap-2 text-sm text-text-muted empty:hidden">
      {notesOf(props).map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

function notesOf({ caller, statistics }: RecordNotesProps): string[] {
  const { followerCalls, callsWithoutResult, endedCalls, payoutAddress, viewer } = caller;
  const { unrankedCalls, microCapCalls, uncountedGains, windows, openCalls, holdings } = statistics;
  const hasMore =
    endedCalls > STATISTICS_MAX_CALLS && unrankedCalls + windows.all.endedCalls >= STATISTICS_MAX_CALLS;
  const notes: string[] = [];
  if (viewer.canSeeActiveCalls && openCalls !== null && openCalls.count > 0) notes.push(openNote(openCalls));
  if (callsWithoutResult > 0) {
    notes.push(
      `Follower Return: ${formatCount(callsWithoutResult)} of the newest ${pluralize(followerCalls + callsWithoutResult, 'ranked call')} ` +
        `${callsWithoutResult === 1 ? 'has' : 'have'} no result, because we have no price from a minute later.`,
    );
  }
  if (unrankedCalls > 0) {
    const microCaps = microCapCalls > 0 ? `, ${formatCount(microCapCalls)} of them on micro-caps` : '';
    notes.push(
      `${pluralize(unrankedCalls, 'unranked call')} ${unrankedCalls === 1 ? 'is' : 'are'} listed but not counted in any figure${microCaps}. ` +
        "Each call's page says why.",
    );
  }
  if (uncountedGains > 0) {
    notes.push(
      `${pluralize(uncountedGains, 'gain')} ${uncountedGains === 1 ? 'counts' : 'count'} as 0%: the call was open for less than ` +
        `${MIN_COUNTED_HOLD_MS / MINUTE_MS} minutes, or ended while only one source had a price.`,
    );
  }
  if (payoutAddress === null && !holdings) {
    notes.push("No verified wallet, so we can't show what this caller holds.");
  }
  if (hasMore) notes.push(`Based on the newest ${formatCount(STATISTICS_MAX_CALLS)} ended calls.`);
  return notes;
}

/** The return of open calls at the last known prices. Only viewers who can see active calls get it. */
function openNote({ count, pricedCount, averageReturn }: NonNullable<CallerStatistics['openCalls']>): string {
  const calls = pluralize(count, 'ranked call');
  if (averageReturn === null) return `Open calls: no price is known yet for ${calls}.`;
  const priced = pricedCount === count ? calls : `${formatCount(pricedCount)} of ${calls}`;
  return `Open calls: ${formatChange(averageReturn)} average across ${priced}, at the last known prices.`;
}
