import { html } from 'hono/html';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import type { CallerListItem, CallerSummary } from '#schema/contracts/callers.ts';
import { afterFeeText } from '#schema/rules/calls/after-fee-text.ts';
import { fullName, profileSlug, shownHandle } from '#schema/rules/people/person-name.ts';
import { formatChange, formatFeePerMonth, formatRate, pluralize } from '#schema/rules/text/format.ts';
import { plainPage } from '../../../app/plain-page.ts';

const change = (percent: number | null) => (percent === null ? '–' : formatChange(percent));

/** The card's one address, because shared caches use it as their key. */
export const embedPath = (caller: CallerSummary) =>
  `/embed/caller/${encodeURIComponent(profileSlug(caller))}`;

/** The caller's figures as in the directory. Every link opens outside of the frame. */
export function embedPage(caller: Omit<CallerListItem, 'recentCalls'>) {
  const { avgReturn, winRate, proven, afterFee, rankedCalls, monthlyFee, profileImageUrl } = caller;
  const name = fullName(caller);
  const { headline, details, breakEven } = afterFeeText(afterFee);
  const figures = [
    ['Avg Return', change(avgReturn)],
    ['Win Rate', winRate === null ? '–' : formatRate(winRate)],
    ['Proven', change(proven)],
  ] as const;
  return plainPage({
    title: `${name} on ${PRODUCT_NAME}`,
    head: html`<meta name="robots" content="noindex" />`,
    body: html`<main class="card">
      <a href="/caller/${encodeURIComponent(profileSlug(caller))}" target="_blank" rel="noopener">
        ${profileImageUrl === null ? '' : html`<img src="${profileImageUrl}" alt="" width="40" height="40" />`}
        <div>
          <h1>${name}</h1>
          ${shownHandle(caller)}
        </div>
      </a>
      <p class="headline">${headline}</p>
      <p>${details} ${breakEven}</p>
      <dl>
        ${figures.map(
          ([label, value]) =>
            html`<div>
              <dt>${label}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
      <p>${pluralize(rankedCalls, 'ranked call')} · ${formatFeePerMonth(monthlyFee)} · ${PRODUCT_NAME}</p>
    </main>`,
  });
}
