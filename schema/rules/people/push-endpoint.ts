/**
 * True if this is an address of one of these push services. The server sends requests to it, so other hosts
 * must be refused. `https://*.example.com` allows all hosts below example.com.
 */
export function isPushEndpoint(endpoint: string, services: readonly string[]): boolean {
  const url = URL.parse(endpoint);
  if (url === null || url.username !== '' || url.password !== '') return false;
  // Browsers send the canonical form of the URL. Another notation would store a second row for the same browser.
  if (url.href !== endpoint || endpoint.includes('#')) return false;
  return services.some((service) => {
    const [scheme = '', parent] = service.split('*');
    if (parent === undefined) return url.origin === service;
    const hasChild = url.origin.length > scheme.length + parent.length;
    return hasChild && url.origin.startsWith(scheme) && url.origin.endsWith(parent) && parent.startsWith('.');
  });
}
