/** What a first proof switched off, and where its owner decides. */
export const HELD = {
  en: 'The people and partners who had been let in before are switched off. Your start page asks about each of them: until you say yes, they stay out.',
  de: 'Personen und Partner, die vorher hineingelassen wurden, sind ausgeschaltet. Deine Startseite fragt nach jedem von ihnen: Bis du Ja sagst, bleiben sie draußen.',
};
