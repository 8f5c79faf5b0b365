/** The placeholder in `EXPLORER_TX_URL`. */
export const SIGNATURE_PLACE = '{signature}';

export type ExplorerUrl = (signature: string) => string;

/** Makes links to a transaction in the block explorer. @param template `EXPLORER_TX_URL` */
export function createExplorerUrl(template: string): ExplorerUrl {
  return (signature) => template.replace(SIGNATURE_PLACE, () => encodeURIComponent(signature));
}
