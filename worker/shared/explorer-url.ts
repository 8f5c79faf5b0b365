export const SIGNATURE_PLACE = '{signature}';

export type ExplorerUrl = (signature: string) => string;

/** @param template `EXPLORER_TX_URL` */
export function createExplorerUrl(template: string): ExplorerUrl {
  return (signature) => template.replace(SIGNATURE_PLACE, () => encodeURIComponent(signature));
}
