/** Variables of the build that the page shows. */
interface ImportMetaEnv {
  readonly VITE_OPERATOR_NAME?: string;
  readonly VITE_OPERATOR_ADDRESS?: string;
  readonly VITE_OPERATOR_EMAIL?: string;
  readonly VITE_TOKEN_MINT?: string;
}
