const WIDTH = 30;
const REDRAW_MS = 200;

/** Shows the progress of long work. */
export interface ProgressBar {
  /** Adds to the work that is done. */
  advance(count: number): void;
}

/** A bar redrawn at most five times a second, with a final line. */
export function createProgressBar(options: {
  title: string;
  total: number;
  draw: (line: string) => void;
  say: (line: string) => void;
  monotonicNow?: () => number;
}): ProgressBar {
  const { title, total, draw, say, monotonicNow = () => performance.now() } = options;
  const startedAt = monotonicNow();
  let done = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    advance(count) {
      if (count === 0 && total > 0) return;
      done += count;
      const now = monotonicNow();
      const isDone = done >= total;
      if (!isDone && now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const show = isDone ? say : draw;
      show(renderBar({ title, total, done, elapsedMs: now - startedAt }));
    },
  };
}

/** Counts work of unknown length, such as piped lines. */
export function createProgressCount(options: {
  title: string;
  draw: (line: string) => void;
  monotonicNow?: () => number;
}): ProgressBar {
  const { title, draw, monotonicNow = () => performance.now() } = options;
  const startedAt = monotonicNow();
  let done = 0;
  return {
    advance(count) {
      done += count;
      const seconds = (monotonicNow() - startedAt) / 1_000;
      const perSecond = seconds > 0 ? Math.round(done / seconds) : 0;
      draw(`${title} ${done.toLocaleString('en')}  ${perSecond.toLocaleString('en')}/s  ${clock(seconds)}`);
    },
  };
}

function renderBar(state: { title: string; total: number; done: number; elapsedMs: number }): string {
  const { title, total, done, elapsedMs } = state;
  const part = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(part * WIDTH);
  const perSecond = elapsedMs > 0 ? Math.round((done / elapsedMs) * 1_000) : 0;
  const leftSeconds = perSecond > 0 ? Math.ceil((total - done) / perSecond) : 0;
  const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
  const counts = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  const time = done >= total ? `took ${clock(elapsedMs / 1_000)}` : `${clock(leftSeconds)} left`;
  return `${title} ${bar} ${Math.floor(part * 100)} %  ${counts}  ${perSecond.toLocaleString('en')}/s  ${time}`;
}

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
