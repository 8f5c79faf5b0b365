import { createFileRoute } from '@tanstack/react-router';
import { PortfolioPage } from '#web/features/portfolio/portfolio-page.tsx';
import { requireUser } from './-require-user.ts';

export const Route = createFileRoute('/portfolio')({ beforeLoad: requireUser, component: PortfolioPage });
