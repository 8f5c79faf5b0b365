/** First names from many places, given to no real person by the surnames below. */
export const firstNames = [
  'Amara', 'Kenji', 'Priya', 'Mateo', 'Ingrid', 'Tunde', 'Leila', 'Soren', 'Mei', 'Dario',
  'Zuri', 'Pavel', 'Noor', 'Joao', 'Hana', 'Emeka', 'Sofia', 'Ravi', 'Freya', 'Omar',
  'Camille', 'Minh', 'Aisha', 'Luka', 'Yara', 'Bongani', 'Elif', 'Thiago', 'Marit', 'Ji-woo',
] as const;

/** Invented surnames: nobody should mistake these people for someone who exists. */
export const surnames = [
  'Lanternby', 'Saltmarsh-Vee', 'Quillfeather', 'Moonbarrow', 'Tidewhistle', 'Copperloom', 'Fernwick-Oo',
  'Starling-Pott', 'Brambleforth', 'Ninepence', 'Cloudstitch', 'Peppercairn', 'Hollowell-Ray', 'Driftquay',
  'Candlemere', 'Oddfellow-Zu', 'Wrenhaven', 'Inkpen', 'Marblethwaite', 'Thimblewood',
] as const;

/** What callers say of themselves. */
export const callerBios = [
  'On-chain first, charts second. I publish the losers too.',
  'Two calls a week, never more. Entries with a thesis, exits without a sermon.',
  'Ex-market maker turned meme archaeologist. Small size, tight stops.',
  'I look for liquidity before I look for a story.',
  'Slow calls for patient people. Average hold: nine days.',
  'DePIN, perps and the odd cat. Not advice, just my book in public.',
  'Night shift trader. If it pumps at 4 am I was probably there.',
  'Wallet tracking, unlock calendars and too much coffee.',
  'I call what I hold and hold what I call.',
  'Former poker player. Bet sizing is the whole game.',
  'Momentum only. When the trend is done, so am I.',
  'Infrastructure tokens explained in one paragraph each.',
] as const;

/** Handles are built from these so that they read like handles people choose. */
export const handleEndings = ['_onchain', '_calls', '_sol', '_charts', '_alpha', '_desk', '', '_xyz'] as const;
