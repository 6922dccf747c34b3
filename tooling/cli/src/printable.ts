/** The text without characters that move the cursor or color the terminal, which become dots: it comes from others. */
export function printable(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, '·');
}
