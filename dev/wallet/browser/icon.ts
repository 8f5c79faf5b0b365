import type { WalletIcon } from '@wallet-standard/base';

export const walletIcon: WalletIcon = `data:image/svg+xml;base64,${btoa(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d3a7a"/>' +
    '<path d="M8 21 14 14l4 4 6-8" fill="none" stroke="#a9c1ff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/>' +
    '<circle cx="8" cy="21" r="2.75" fill="#fff"/><circle cx="24" cy="10" r="2.75" fill="#fff"/></svg>',
)}`;
