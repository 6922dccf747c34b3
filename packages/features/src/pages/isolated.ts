/** Characters that turn the direction of text, and letters that are written to the left. */
const TURNING =
  /[\p{Bidi_Control}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const ISOLATES = /[\u2066-\u2069]/g;

/** What somebody else wrote, in a form that does not affect the direction of the words around it, like a `<bdi>`. */
export function isolated(text: string): string {
  // Isolates within it could end this one.
  return TURNING.test(text) ? `\u2068${text.replace(ISOLATES, '')}\u2069` : text;
}
