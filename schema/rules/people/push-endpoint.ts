/**
 * True if this is an address of one of these push services. `https://*.example.com` stands for all hosts below
 * example.com. The server sends requests to the address, so it mustn't lead anywhere else.
 */
export function isPushEndpoint(endpoint: string, services: readonly string[]): boolean {
  const url = URL.parse(endpoint);
  if (url === null || url.username !== '' || url.password !== '') return false;
  // A browser names its address in one canonical form, so other canonical forms would be further rows for the same browser.
  if (url.href !== endpoint || endpoint.includes('#')) return false;
  return services.some((service) => {
    const [scheme = '', parent] = service.split('*');
    if (parent === undefined) return url.origin === service;
    const hasChild = url.origin.length > scheme.length + parent.length;
    return hasChild && url.origin.startsWith(scheme) && url.origin.endsWith(parent) && parent.startsWith('.');
  });
}
