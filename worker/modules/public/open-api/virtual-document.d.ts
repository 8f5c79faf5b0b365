/** The OpenAPI document of all routes (dev/build/open-api/plugin.ts). */
declare module 'virtual:open-api-document' {
  import type { OpenApiDocument } from '#worker/modules/public/open-api/open-api-document.ts';

  const document: OpenApiDocument;
  export default document;
}
