import { type Hand, mouse } from './hands.js';

type Target = Parameters<Hand['press']>[0];

/** How long people take by the keystroke-level model (Card, Moran, Newell), in seconds. */
const SECONDS = { key: 0.28, pointing: 1.1, click: 0.1, thought: 1.35, page: 10, copy: 5 };

/** Somebody with a mouse and a keyboard, whose actions are counted. */
export interface CountedPerson {
  press(target: Target): Promise<void>;
  write(target: Target, text: string): Promise<void>;
  choose(target: Target, label: string): Promise<void>;
  /** Presses a button that copies a text, and returns the text. */
  copy(button: Target): Promise<string>;
  /** Pastes into a field what was copied. */
  paste(target: Target, text: string): Promise<void>;
  /** Does something by hand, outside the browser, which takes some clicks and copied values. */
  elsewhere(done: { readonly clicks: number; readonly pasted: number }): void;
  /** Reads some pages once. */
  read(pages?: number): void;
  /** The actions since the last call. */
  figures(): Figures;
}

export interface Figures extends Readonly<Record<string, number>> {
  readonly actions: number;
  readonly characters: number;
  readonly pasted: number;
  readonly pagesRead: number;
  readonly scriptedSeconds: number;
  readonly personSeconds: number;
}

export function countActions(): CountedPerson {
  let counted = none();
  // Each action takes a click.
  const click = (clicks = 1) => {
    counted.actions += clicks;
  };
  return {
    async press(target) {
      click();
      await mouse.press(target);
    },
    async write(target, text) {
      click();
      counted.characters += text.length;
      await mouse.write(target, text);
    },
    async choose(target, label) {
      click(2);
      await mouse.choose(target, label);
    },
    async copy(button) {
      click();
      await mouse.press(button);
      return button.page().evaluate<string>('navigator.clipboard.readText()');
    },
    async paste(target, text) {
      click();
      counted.pasted += 1;
      await mouse.write(target, text);
    },
    elsewhere({ clicks, pasted }) {
      click(clicks + pasted);
      counted.pasted += pasted;
    },
    read(pages = 1) {
      counted.pagesRead += pages;
    },
    figures() {
      const { startedAt, ...figures } = counted;
      counted = none();
      const { actions, characters, pasted, pagesRead } = figures;
      const seconds =
        actions * (SECONDS.thought + SECONDS.pointing + SECONDS.click) +
        characters * SECONDS.key +
        pasted * SECONDS.copy +
        pagesRead * SECONDS.page;
      return {
        ...figures,
        scriptedSeconds: Math.round((performance.now() - startedAt) / 100) / 10,
        personSeconds: Math.round(seconds),
      };
    },
  };
}

const none = () => ({
  actions: 0,
  characters: 0,
  pasted: 0,
  pagesRead: 0,
  startedAt: performance.now(),
});
