import { generateCodeVerifier, generateState } from 'arctic';

/** What the browser keeps between leaving for X and coming back. */
export interface XAttempt {
  readonly state: string;
  readonly codeVerifier: string;
}

export function createXAttempt(): XAttempt {
  return { state: generateState(), codeVerifier: generateCodeVerifier() };
}
