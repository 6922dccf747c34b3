/** The text without characters that move the cursor or color the terminal, which become dots: others have sent it. */
export function printable(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, '·');
}
