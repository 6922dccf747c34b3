/**
 * What shows nothing: format characters, what Unicode says a renderer may ignore, and letters drawn as blanks (the Hangul
 * fillers are among the ignorable, the empty Braille pattern, the Khitan filler and the musical null are not). A source for
 * regular expressions with the flag `u`.
 */
export const INVISIBLE = String.raw`\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{16FE4}\u{1D159}`;
