import { control } from './test-app.ts';

export type SourceName = 'jupiter' | 'dexscreener';

/** Sets a token's market price, at both sources by default. Null means that a source has no price. */
export const setPrice = (mint: string, price: number | string | null, source?: SourceName) =>
  control('POST', '/prices', { mint, price, source });

/** Makes a price source fail until `endFaults`. */
export const breakSource = (service: SourceName, fault: object = { status: 503 }) =>
  control('POST', '/faults', { service, ...fault });

export async function breakSources(fault?: object): Promise<void> {
  await breakSource('jupiter', fault);
  await breakSource('dexscreener', fault);
}

export const endFaults = () => control('DELETE', '/faults');

/** The paths of the requests that a source received, oldest first. */
export async function requestsTo(service: SourceName): Promise<string[]> {
  const { requests } = await control<{ requests: { path: string }[] }>('GET', `/requests?service=${service}`);
  return requests.map(({ path }) => decodeURIComponent(path));
}
