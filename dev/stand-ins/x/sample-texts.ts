const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export const firstNames = words(`
  Amara Kenji Priya Mateo Ingrid Tunde Leila Soren Mei Dario Zuri Pavel Noor Joao Hana Emeka Sofia
  Ravi Freya Omar Camille Minh Aisha Luka Yara Bongani Elif Thiago Marit Ji-woo
`);

/** Invented surnames, so that no sample person resembles a real one. */
export const surnames = words(`
  Lanternby Saltmarsh-Vee Quillfeather Moonbarrow Tidewhistle Copperloom Fernwick-Oo Starling-Pott
  Brambleforth Ninepence Cloudstitch Peppercairn Hollowell-Ray Driftquay Candlemere Oddfellow-Zu
  Wrenhaven Inkpen Marblethwaite Thimblewood
`);

export const callerBios = [
  'On-chain first, charts second. I publish the losers too.',
  'I look for liquidity before I look for a story.',
  'Slow calls for patient people. Average hold: nine days.',
  'DePIN, perps and the odd cat. Not advice, just my book in public.',
  'I call what I hold and hold what I call.',
  'Momentum only. When the trend is done, so am I.',
] as const;

/** Endings that make a handle look as if its owner chose it. */
export const handleEndings = [
  '_onchain',
  '_calls',
  '_sol',
  '_charts',
  '_alpha',
  '_desk',
  '',
  '_xyz',
] as const;
