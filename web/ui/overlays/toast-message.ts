export type ToastActionOffer =
  | { label: string; href: string; isExternal?: boolean | undefined }
  | { label: string; onClick: () => void };

export interface ToastMessage {
  title: string;
  description?: string | undefined;
  variant?: 'default' | 'destructive' | undefined;
  action?: ToastActionOffer | undefined;
}
