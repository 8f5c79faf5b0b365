import { createFileRoute } from '@tanstack/react-router';
import { requireUser } from './-require-user.ts';

/** Payment pages need a signed-in user. */
export const Route = createFileRoute('/payments')({ beforeLoad: requireUser });
