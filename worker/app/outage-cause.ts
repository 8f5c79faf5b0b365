import type { Failure } from '#schema/rules/running/outages.ts';
import { RefusedByXError } from '../ports/identity.ts';
import { OutageError, PortUnavailableError, WrongClusterError } from '../ports/unavailable.ts';
import { AppError } from './errors.ts';

const PORTS: Readonly<Record<PortUnavailableError['port'], string>> = {
  identity: 'x.unavailable',
  tweets: 'x.unavailable',
  chain: 'chain.unavailable',
};

/** The likely cause of a failed request, as `describeCause` knows it. */
export function outageCauseOf(error: unknown): Pick<Failure, 'cause' | 'isAboutUs'> {
  if (error instanceof OutageError) return { cause: error.code };
  if (error instanceof PortUnavailableError) return { cause: PORTS[error.port] };
  if (error instanceof WrongClusterError) return { cause: 'chain.wrong_cluster' };
  const refused = error instanceof AppError ? error.cause : error;
  if (refused instanceof RefusedByXError) {
    const { refusal } = refused;
    if (refusal.outcome === 'app_refused') return { cause: refusal.reason, isAboutUs: true };
    return { cause: `x.${refusal.outcome}` };
  }
  return { cause: error instanceof AppError ? error.code : 'server.failed' };
}
