/** Stands for the transaction's signature in `EXPLORER_TX_URL`. */
export const SIGNATURE_PLACE = '{signature}';

/** Where anybody can look at a transaction, by its signature. */
export type ExplorerUrl = (signature: string) => string;

/** The one way a transaction's link is made. @param template `EXPLORER_TX_URL`. */
export function createExplorerUrl(template: string): ExplorerUrl {
  return (signature) => template.replace(SIGNATURE_PLACE, () => encodeURIComponent(signature));
}
