export const navLinks = [
  { to: '/recent-calls', label: 'Recent Calls', needsUser: false },
  { to: '/dashboard', label: 'Dashboard', needsUser: true },
] as const;

export function visibleNavLinks(isSignedIn: boolean) {
  return navLinks.filter((link) => isSignedIn || !link.needsUser);
}
