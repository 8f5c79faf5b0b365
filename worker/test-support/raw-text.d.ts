/** A file as text, through Vite. */
declare module '*?raw' {
  const text: string;
  export default text;
}
