/**
 * Invisible characters: format characters, those Unicode lets a renderer ignore (Hangul fillers included),
 * and letters drawn as blanks (the empty Braille pattern, the Khitan filler, the musical null). The source of
 * a regular expression with flag `u`.
 */
export const INVISIBLE = String.raw`\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{16FE4}\u{1D159}`;
