/** The names of the migrations that this version needs, in order (dev/build/migrations.ts). */
declare module 'virtual:migrations' {
  const names: readonly string[];
  export default names;
}
