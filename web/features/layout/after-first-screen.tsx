import { useMatch } from '@tanstack/react-router';
import { useFocusRescue } from '#web/lib/page/use-focus-rescue.ts';
import { useSlashFocus } from '#web/lib/page/use-slash-focus.ts';
import { RecomputeRanking } from '#web/lib/verify/recompute-ranking.tsx';
import { Footer } from './footer.tsx';
import { useLive } from './use-live.ts';
import { useReloadOnUserChange } from './use-one-user.ts';
import { usePageViews } from './use-page-views.ts';

export { ConnectionNotice } from './connection-notice.tsx';
export { NotFoundPage } from './not-found-page.tsx';

/** The parts of the layout that the first screen doesn't need. */
export function AfterFirstScreen() {
  useFocusRescue();
  useSlashFocus();
  useLive();
  useReloadOnUserChange();
  usePageViews();
  const directory = useMatch({ from: '/', shouldThrow: false });
  return (
    <>
      {directory && <RecomputeRanking />}
      <Footer />
    </>
  );
}
