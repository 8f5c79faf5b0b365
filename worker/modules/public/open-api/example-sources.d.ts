/** The text of the programs in dev/examples (dev/build/example-sources.ts). */
declare module 'virtual:example-sources' {
  export const bot: string;
  export const receiver: string;
  export const pythonBot: string;
  export const pythonReceiver: string;
}
