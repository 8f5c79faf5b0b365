/** Saves a file like a download. Its address stays valid, because some browsers read it after the click. */
export function saveFile(file: File): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
}
