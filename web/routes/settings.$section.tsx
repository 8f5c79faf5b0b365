import { createFileRoute, notFound } from '@tanstack/react-router';
import { SettingsPage } from '#web/features/settings/settings-page.tsx';
import { isSettingsSection } from '#web/features/settings/settings-section.ts';
import { requireUser } from './-require-user.ts';

export const Route = createFileRoute('/settings/$section')({
  beforeLoad: async ({ context, params: { section } }) => {
    if (!isSettingsSection(section)) throw notFound();
    await requireUser({ context });
    return { section };
  },
  component: () => <SettingsPage section={Route.useRouteContext().section} />,
});
