/** Saves a text as a file, through the browser's download. */
export function saveFile({ name, text }: { readonly name: string; readonly text: string }): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
