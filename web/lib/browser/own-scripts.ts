interface TrustedTypes {
  createPolicy(name: 'default', rules: { createScriptURL(url: string): string }): unknown;
}

declare global {
  interface Window {
    /** TypeScript's DOM library doesn't know it, and old browsers don't have it. */
    readonly trustedTypes?: TrustedTypes;
  }
}

/** @throws TypeError for a script of another origin */
export function ownScript(url: string): string {
  if (new URL(url, location.href).origin !== location.origin) {
    throw new TypeError(`The script ${url} is not one of this site.`);
  }
  return url;
}

// Trusted Types let pages start no script from text. This is the only exception: threads and service workers of our own.
// The server's renderer may load this file.
if (typeof window !== 'undefined') {
  window.trustedTypes?.createPolicy('default', { createScriptURL: ownScript });
}
