import type { WalletIcon } from '@wallet-standard/base';

export const phoneIcon: WalletIcon = `data:image/svg+xml;base64,${btoa(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d3a7a"/>' +
    '<rect x="10" y="5" width="12" height="22" rx="3" fill="none" stroke="#fff" stroke-width="2.5"/>' +
    '<path d="M15 23h2" stroke="#a9c1ff" stroke-width="2.5" stroke-linecap="round"/></svg>',
)}`;
